"""Check that the newest backup is recent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pbem.ops.doctor.check import Check, CheckContext, Results, failed, passed, warned
from pbem.play.core.context import read_only
from pbem.play.upkeep import gauges

FAIL_AFTER = timedelta(days=7)
"""Age from which the newest backup is a failure and not only a warning."""
_TODO = "Run `pbem backup DIR` every night from a timer or cron, and copy DIR to another machine."


def _check_age(context: CheckContext) -> Results:
    with read_only(context.engine, context.config) as ctx:
        newest = gauges.newest_backup_at(ctx)
    if newest is None:
        yield warned("There is no backup yet: if this disk fails, everything is lost.", _TODO)
        return
    age = datetime.now(UTC) - newest
    text = f"The newest backup was made at {newest:%Y-%m-%d %H:%M} UTC."
    if age > FAIL_AFTER:
        yield failed(text, _TODO)
    elif age > gauges.BACKUP_LATE_AFTER:
        yield warned(text, _TODO)
    else:
        yield passed(text)


CHECKS = (Check("backup", _check_age, needs=("migrations",)),)
