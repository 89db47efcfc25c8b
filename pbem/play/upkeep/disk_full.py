"""Disk-full mode: nothing new is accepted and all clocks stop; afterwards everybody is given the time back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db import disk_check
from pbem.db.models import ClockPause, Deadline, Heartbeat
from pbem.db.session import call_after_commit
from pbem.i18n import marked
from pbem.play.deadlines import turn_deadlines
from pbem.play.notifications import operator_mail, outbox
from pbem.play.upkeep.outages import HELD_HEARTBEAT, POSTPONE_WITHIN
from pbem.states import PauseReason

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

DISK_FULL_MAIL, SPACE_AGAIN_MAIL = "disk full", "disk room"
"""Kinds of the mails to the operator: a disk is full, and there is space again."""
READ_ONLY_NOTICE = marked(
    "The service cannot accept anything new right now. You can still look at everything, nothing is lost, and all "
    "clocks are stopped. Try again later."
)
"""Message to players while a disk is full."""


def update(ctx: Context) -> bool:
    """Stop all clocks while a disk is full, start them when there is space again; return whether they are stopped."""
    since = ctx.session.scalar(select(Heartbeat.seen_at).where(Heartbeat.part == HELD_HEARTBEAT).with_for_update())
    owners = disk_check.full_disks(ctx.session, ctx.now)
    if owners and since is None:
        row = insert(Heartbeat).values(part=HELD_HEARTBEAT, seen_at=ctx.now).on_conflict_do_nothing()
        ctx.session.execute(row)
        call_after_commit(ctx.session, log.error, "clocks stopped: a disk is full (%s)", ", ".join(owners))
        _notify_operator(ctx, DISK_FULL_MAIL, ctx.now, owners)
    elif since is not None and not owners:
        reports = Heartbeat.part.startswith(disk_check.FULL_DISK_PREFIX)
        ctx.session.execute(delete(Heartbeat).where((Heartbeat.part == HELD_HEARTBEAT) | reports))
        ctx.session.add(ClockPause(reason=PauseReason.OUTAGE.value, started_at=since, ended_at=ctx.now))
        turn_deadlines.recompute_soon(ctx, Deadline.due_at < ctx.now + POSTPONE_WITHIN)
        call_after_commit(ctx.session, log.warning, "clocks run again; everybody gets %s back", ctx.now - since)
        _notify_operator(ctx, SPACE_AGAIN_MAIL, since, owners)
    return bool(owners)


def _notify_operator(ctx: Context, kind: str, since: datetime, owners: list[str]) -> None:
    operator = operator_mail.operator_address(ctx.config)
    if operator:
        facts = {"name": "Operator", "language": "en", "since": since.isoformat(), "now": ctx.now.isoformat()}
        outbox.enqueue_mail(ctx, kind, operator, facts | {"whose": owners}, once=f"{kind} {since.isoformat()}")
