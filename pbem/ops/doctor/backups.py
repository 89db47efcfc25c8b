"""Check that the newest backup is recent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.play.core.context import read_only
from pbem.play.upkeep import gauges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result

FAIL_AFTER = timedelta(days=7)
"""Age from which the newest backup is a failure and not only a warning: nobody looks after it."""
_TODO = "Run `pbem backup DIR` every night, by a timer or cron, and take DIR to another machine."


def _check_age(ground: CheckContext) -> Iterator[Result]:
    with read_only(ground.engine, ground.config) as ctx:
        newest = gauges.newest_backup_at(ctx)
    if newest is None:
        yield warned("There has been no backup yet: with this disk everything would be lost.", _TODO)
        return
    age = datetime.now(UTC) - newest
    said = f"The newest backup is of {newest:%Y-%m-%d %H:%M} UTC."
    if age > FAIL_AFTER:
        yield failed(said, _TODO)
    elif age > gauges.BACKUP_LATE_AFTER:
        yield warned(said, _TODO)
    else:
        yield passed(said)


CHECKS = (Check("backup", _check_age, needs=("migrations",)),)
