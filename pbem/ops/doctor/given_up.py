"""Check for mails that failed by an error of ours and can still be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.ops.doctor.check import Check, passed, warned
from pbem.play.core.context import read_only
from pbem.play.notifications import failed_mails

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result

MAX_COUNT = 1000


def _check_given_up(ground: CheckContext) -> Iterator[Result]:
    with read_only(ground.engine, ground.config) as ctx:
        count, oldest = failed_mails.count_unrendered(ctx, MAX_COUNT)
    if oldest is None:
        yield passed("No mail was given up that could not be written.")
        return
    yield warned(
        f"{'One mail' if count == 1 else f'{count} mails'} could not be written, the oldest on {oldest:%Y-%m-%d}.",
        "Look at the worker's log for why; then send each from the operators' pages or by `pbem admin retry mail "
        f"NUMBER`: what they are made of is kept for {failed_mails.RETENTION.days} days.",
    )


CHECKS = (Check("mails given up", _check_given_up, needs=("migrations",)),)
