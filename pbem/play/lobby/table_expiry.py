"""Waiting: tables that not everybody has come to remind their host, and end politely if nobody does.

What is due follows from when a match was made and when its host was last told, and from nothing else.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select

from pbem.db.models import Match
from pbem.play.lifecycle import create
from pbem.play.lobby import hosting
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.play.core.context import Context

TOLD_AFTER = (timedelta(days=3), timedelta(days=7))
"""When the host of a table that waits is told so."""
ENDS_AFTER = timedelta(days=21)
"""When a table ends that has not begun."""


class Due(Enum):
    """What is to be done about a table that waits."""

    TELL = "tell"
    END = "end"


def due(made: datetime, told: datetime | None, now: datetime) -> Due | None:
    """Tell what is due at a table that was made then, whose host was last told so then."""
    if now >= made + ENDS_AFTER:
        return Due.END
    marks = [made + after for after in TOLD_AFTER if now >= made + after]
    return Due.TELL if marks and (told is None or told < marks[-1]) else None


def look(ctx: Context) -> bool:
    """Do what is due at one table that waits; False where there is none, or all are in other hands."""
    match = ctx.session.scalars(_claimed(ctx.now)).first()
    if match is None:
        return False
    if due(match.created_at, match.nudged_at, ctx.now) is Due.END:
        _end(ctx, match)
    else:
        match.nudged_at = ctx.now
        _tell(ctx, match)
    return True


def _claimed(now: datetime) -> Select[Match]:
    """Ask for one table at which something is due, in the words of `due`, and keep others from it."""
    told = [
        and_(
            Match.created_at <= now - after, or_(Match.nudged_at.is_(None), Match.nudged_at < Match.created_at + after)
        )
        for after in TOLD_AFTER
    ]
    wanted = or_(Match.created_at <= now - ENDS_AFTER, *told)
    waiting = select(Match).where(Match.state == MatchState.INVITING, wanted).order_by(Match.created_at)
    return waiting.limit(1).with_for_update(skip_locked=True, key_share=True)


def _tell(ctx: Context, match: Match) -> None:
    """Tell a host who has not answered yet; one who has not accepted themselves hears no more than they did."""
    host = next((holder for holder in create.holders(ctx, match) if hosting.is_host(match, holder)), None)
    if host is None:
        return
    facts = outbox.waiting_facts(ctx, match, host) | hosting.facts(ctx, match)
    facts |= {"made": match.created_at.isoformat(), "ends": (match.created_at + ENDS_AFTER).isoformat()}
    passed = sum(ctx.now >= match.created_at + after for after in TOLD_AFTER)
    once = f"waiting {match.id} {host.id} {passed}"
    outbox.owe(ctx, "waiting", host, match, facts, once=once, ply=0)


def _end(ctx: Context, match: Match) -> None:
    """End a table that nobody else came to; those who had accepted are told, and nobody else."""
    create.call_off(ctx, match, seat=None, by="clock", detail={})
    for holder in create.holders(ctx, match):
        if match.seats[holder.seat - 1].accepted_at:
            facts = outbox.waiting_facts(ctx, match, holder)
            outbox.owe(ctx, "waited", holder, match, facts, once=f"waited {match.id} {holder.id}", ply=0)
