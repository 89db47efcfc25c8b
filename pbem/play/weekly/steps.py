"""What is due for the weeks: their deals are created and made, and the matches of those who entered before begin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import DealSet, Match, MatchSeat
from pbem.play.deal_sets import creation, dealing
from pbem.play.lifecycle import arranged_matches, match_requests
from pbem.play.players import robots
from pbem.play.weekly import announcements, calendar, entries, weeks
from pbem.robots import Level
from pbem.states import DealSetKind, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

BATCH_SIZE = 20
"""Matches that are begun in a transaction."""
WEEKS_AHEAD = 2
"""Number of weeks after the running one whose commitments are public, so that each is for at least seven days."""
_LOCK_ID = 0x7765656B
_ROBOT = replace(match_requests.robot(Level.STRONG), name=robots.NAMES[0])
"""The robot that sets the par."""


def create_due(ctx: Context) -> bool:
    """Create the deals of the running week and of those after it, unless they are there: nothing more to do."""
    if ctx.session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK_ID))):
        present = calendar.number_at(ctx.now)
        wanted = range(present, present + WEEKS_AHEAD + 1)
        known = set(ctx.session.scalars(select(DealSet.week).where(DealSet.week.in_(wanted))))
        for number in wanted:
            if number not in known:
                _create(ctx, number)
    return False


def deal_due(ctx: Context) -> bool:
    """Deal a week that has begun, and announce it; return whether there was one."""
    due = select(DealSet).where(
        DealSet.kind == DealSetKind.WEEK,
        DealSet.opened_at.is_(None),
        DealSet.seed.is_(None),
        DealSet.starts_at <= ctx.now,
        DealSet.closes_at > ctx.now,
    )
    deal_set = ctx.session.scalar(due.order_by(DealSet.week).limit(1).with_for_update(skip_locked=True))
    if deal_set is None:
        return False
    dealing.deal(ctx, deal_set)
    announcements.enqueue_begin(ctx, deal_set)
    return True


def count_people(ctx: Context) -> bool:
    """Count the people of the weeks that are not over, for the pages that show them: nothing more to do."""
    going_on = select(DealSet).where(DealSet.week.is_not(None), DealSet.opened_at.is_(None)).order_by(DealSet.week)
    # The last count is made as a week opens, and must not be overwritten.
    for deal_set in ctx.session.scalars(going_on.with_for_update(skip_locked=True)).all():
        weeks.count(ctx, deal_set)
    return False


def begin_due(ctx: Context) -> bool:
    """Begin some matches that waited for the deal of their week; return whether there may be more."""
    waiting = (
        select(Match)
        .join(DealSet, DealSet.id == Match.set_id)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(DealSet.kind == DealSetKind.WEEK, DealSet.opened_at.is_(None), DealSet.seed.is_not(None))
        .where(Match.state == MatchState.INVITING, MatchSeat.accepted_at.is_not(None))
    )
    batch = waiting.order_by(Match.set_place).limit(BATCH_SIZE).with_for_update(of=Match, skip_locked=True)
    found = ctx.session.scalars(batch).all()
    for match in found:
        arranged_matches.begin(ctx, match)
    return len(found) == BATCH_SIZE


def _create(ctx: Context, number: int) -> None:
    begin, end = calendar.begin_of(number), calendar.end_of(number)
    deal_set = creation.create_set(
        ctx, DealSetKind.WEEK, weeks.GAME, weeks.options(), week=number, starts_at=begin, closes_at=end
    )
    entries.arrange_robot(ctx, deal_set, _ROBOT)
