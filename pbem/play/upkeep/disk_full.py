"""Disk-full mode: nothing new is accepted and all clocks stop; afterwards everybody is given the time back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db import disk_space
from pbem.db.models import Deadline, Pulse, Standstill
from pbem.db.session import once_committed
from pbem.i18n import marked
from pbem.play.deadlines import turn_deadlines
from pbem.play.notifications import operator_mail, outbox
from pbem.play.upkeep.outages import HELD, SOON
from pbem.states import PauseReason

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

FULL, ROOM = "disk full", "disk room"
"""Kinds of the mails to the operator: a disk is full, and there is space again."""
SENTENCE = marked(
    "There is no room for anything new here just now. You can look at everything, nothing is lost, and all clocks "
    "stand still. Please try again later."
)
"""Message to players while a disk is full."""


def look(ctx: Context) -> bool:
    """Stop all clocks while a disk is full, start them when there is space again; return whether they are stopped."""
    since = ctx.session.scalar(select(Pulse.at).where(Pulse.part == HELD).with_for_update())
    whose = [part.removeprefix(disk_space.FULL) for part in ctx.session.scalars(disk_space.said(ctx.now))]
    if whose and since is None:
        row = insert(Pulse).values(part=HELD, at=ctx.now).on_conflict_do_nothing()
        ctx.session.execute(row)
        once_committed(ctx.session, log.error, "clocks are held, for the disk is full of %s", ", ".join(whose))
        _tell(ctx, FULL, ctx.now, whose)
    elif since is not None and not whose:
        ctx.session.execute(delete(Pulse).where((Pulse.part == HELD) | Pulse.part.startswith(disk_space.FULL)))
        ctx.session.add(Standstill(why=PauseReason.OUTAGE.value, begin_at=since, end_at=ctx.now))
        turn_deadlines.look_again(ctx, Deadline.due_at < ctx.now + SOON)
        lasted = ctx.now - since
        once_committed(ctx.session, log.warning, "clocks go on; everybody is given %s back", lasted)
        _tell(ctx, ROOM, since, whose)
    return bool(whose)


def _tell(ctx: Context, kind: str, since: datetime, whose: list[str]) -> None:
    operator = operator_mail.goes_to(ctx.config)
    if operator:
        facts = {"name": "Operator", "language": "en", "since": since.isoformat(), "now": ctx.now.isoformat()}
        outbox.owe_mail(ctx, kind, operator, facts | {"whose": whose}, once=f"{kind} {since.isoformat()}")
