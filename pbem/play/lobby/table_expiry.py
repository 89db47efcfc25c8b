"""Expiry of waiting tables: their hosts are reminded, and tables that do not start are cancelled in the end.

What is due depends only on when a match was created and when its host was last reminded.
"""

from __future__ import annotations

from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, or_, select

from pbem.db.models import Match
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import hosting, reopening
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.play.core.context import Context

REMIND_AFTER = (timedelta(days=3), timedelta(days=7))
"""Ages of a waiting table at which its host is reminded."""
EXPIRE_AFTER = timedelta(days=21)
"""Age at which a table that has not started is cancelled."""


class DueAction(Enum):
    """Action that is due at a waiting table."""

    REMIND = "remind"
    END = "end"


def due_action(created_at: datetime, reminded_at: datetime | None, now: datetime) -> DueAction | None:
    """Return the action due at a table, or None; `reminded_at` is when its host was last reminded."""
    if now >= created_at + EXPIRE_AFTER:
        return DueAction.END
    passed = [created_at + age for age in REMIND_AFTER if now >= created_at + age]
    return DueAction.REMIND if passed and (reminded_at is None or reminded_at < passed[-1]) else None


def process_next(ctx: Context) -> bool:
    """Carry out the action due at one waiting table; return False if there is none, or all are locked."""
    match = ctx.session.scalars(_lock_query(ctx.now)).first()
    if match is None:
        return False
    if due_action(match.created_at, match.host_reminded_at, ctx.now) is DueAction.END:
        _expire(ctx, match)
    else:
        _remind_host(ctx, match)
    return True


def _lock_query(now: datetime) -> Select[Match]:
    """Return the query that locks one table at which an action is due; it must agree with `due_action`."""
    reminded = func.coalesce(Match.host_reminded_at, Match.created_at)
    remind = (and_(Match.created_at <= now - age, reminded < Match.created_at + age) for age in REMIND_AFTER)
    wanted = or_(Match.created_at <= now - EXPIRE_AFTER, *remind)
    waiting = select(Match).where(Match.state == MatchState.INVITING, wanted).order_by(Match.created_at)
    return waiting.limit(1).with_for_update(skip_locked=True, key_share=True)


def _remind_host(ctx: Context, match: Match) -> None:
    """Enqueue a mail to the host with who has not answered; a host who has not accepted gets none."""
    match.host_reminded_at = ctx.now
    host = hosting.find_host(ctx, match)
    if host is None:
        return
    facts = outbox.unstarted_facts(ctx, match, host) | hosting.host_facts(ctx, match)
    facts |= {"made": match.created_at.isoformat(), "ends": (match.created_at + EXPIRE_AFTER).isoformat()}
    passed = sum(ctx.now >= match.created_at + after for after in REMIND_AFTER)
    once = f"waiting {match.id} {host.id} {passed}"
    outbox.enqueue(ctx, "waiting", host, match, facts, once=once, ply=0)


def _expire(ctx: Context, match: Match) -> None:
    """Open the unanswered seats of a table that did not start, if its host wants that; else cancel the table.

    Only those who had accepted are notified that it is cancelled.
    """
    if reopening.open_unanswered(ctx, match):
        return
    acceptance.cancel(ctx, match, seat=None, by="clock", detail={})
    for holder in holders(ctx, match):
        if match.seats[holder.seat - 1].accepted_at:
            facts = outbox.unstarted_facts(ctx, match, holder)
            outbox.enqueue(ctx, "waited", holder, match, facts, once=f"waited {match.id} {holder.id}", ply=0)
