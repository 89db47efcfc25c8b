"""A season that is played: its matches begin, their results are taken into account, and it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, exists, or_, select

from pbem.db.models import Entrant, Event, EventMatch, Match, SeatHolder
from pbem.play.events import entries
from pbem.play.leagues import draws, leaving, season_mails, season_tables, seasons
from pbem.play.lifecycle import arranged_matches
from pbem.play.matches import seats
from pbem.play.matches.match_state import lock_match
from pbem.states import EntrantState, EventKind, EventState, MatchRole, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context

BATCH_SIZE = 20
"""Matches that are begun, or taken into account, in a transaction."""

# The event of a match is named twice, since the index of `matches` keeps the planner from reading all of them.
_IS_OPEN = and_(
    EventMatch.event_id == Event.id, EventMatch.role == MatchRole.COUNTS, EventMatch.annulled_at.is_(None),
    Match.id == EventMatch.match_id, Match.event_id == Event.id, Match.state != MatchState.OVER,
)  # fmt: skip
_IS_UNSETTLED = and_(
    EventMatch.event_id == Event.id, EventMatch.settled_at.is_(None),
    Match.id == EventMatch.match_id, Match.event_id == Event.id, Match.state == MatchState.OVER,
)  # fmt: skip


def begin_due(ctx: Context) -> bool:
    """Begin some matches of a season that is due, and the season with the last; returns whether there may be more."""
    due = Event.kind == EventKind.LEAGUE, Event.state == EventState.DRAWN, Event.starts_at <= ctx.now
    event = ctx.session.scalar(select(Event).where(*due).order_by(Event.id).limit(1).with_for_update(skip_locked=True))
    if event is None or not draws.is_arranged(ctx, event):
        return False
    waiting = select(Match.id).where(Match.event_id == event.id, Match.state == MatchState.INVITING)
    found = ctx.session.scalars(waiting.order_by(Match.id).limit(BATCH_SIZE)).all()
    for match_id in found:
        arranged_matches.begin(ctx, lock_match(ctx, match_id))
    if len(found) < BATCH_SIZE:
        event.state = EventState.RUNNING
    return True


def settle_due(ctx: Context) -> bool:
    """Count the losses on time in some matches of a season that are over, and withdraw those who have too many.

    Returns whether there may be more.
    """
    over = select(EventMatch).join(Event, Event.id == EventMatch.event_id)
    over = over.join(Match, Match.id == EventMatch.match_id).where(Event.kind == EventKind.LEAGUE, _IS_UNSETTLED)
    over = over.where(Event.state == EventState.RUNNING).order_by(Match.ended_at, Match.id)
    first = ctx.session.scalar(over.limit(1))
    if first is None:
        return False
    event = entries.lock_event(ctx, first.event_id)
    # Another worker may have settled some until the lock was free.
    still = over.where(Event.id == event.id).limit(BATCH_SIZE).execution_options(populate_existing=True)
    for row in ctx.session.scalars(still).all():
        row.settled_at = ctx.now
        if row.role == MatchRole.COUNTS and row.annulled_at is None:
            _count_losses(ctx, event, row.match_id)
    return True


def annul(ctx: Context, row: EventMatch) -> None:
    """Annul the result of a match that is over, and forgive the losses on time that were counted.

    Who was withdrawn after them stays so, and can enter the next season.
    """
    row.annulled_at = ctx.now
    if row.settled_at is not None and row.role == MatchRole.COUNTS:
        for entrant in _late(ctx, row.event_id, row.match_id):
            entrant.losses_on_time = max(0, entrant.losses_on_time - 1)
    ctx.session.flush()


def end_due(ctx: Context) -> bool:
    """End a season whose matches that count are over, or whose last day has passed."""
    is_played = ~exists().where(_IS_OPEN) & ~exists().where(_IS_UNSETTLED)
    due = Event.kind == EventKind.LEAGUE, Event.state == EventState.RUNNING, or_(is_played, Event.ends_at <= ctx.now)
    event = ctx.session.scalar(select(Event).where(*due).order_by(Event.id).limit(1).with_for_update(skip_locked=True))
    if event is None:
        return False
    event.state, event.ended_at = EventState.OVER, ctx.now
    tables = season_tables.load(ctx, event)
    for table in tables:
        for row in table.rows:
            table.entrants[row.player].place = row.place
    ctx.session.flush()
    following = seasons.next_season(ctx, event)
    if following:
        seasons.carry_over(ctx, event, following)
    for table in tables:
        season_mails.over(ctx, event, table, following)
    return True


def _count_losses(ctx: Context, event: Event, match_id: str) -> None:
    """Count a loss on time for those who have lost a match by it, or their seat at a larger table."""
    for entrant in _late(ctx, event.id, match_id):
        entrant.losses_on_time += 1
        if entrant.losses_on_time >= entries.MAX_LOSSES_ON_TIME and entrant.state == EntrantState.ENTERED:
            ctx.session.flush()
            leaving.leave(ctx, event, entrant.player_id, entries.ON_TIME)


def _late(ctx: Context, event: int, match_id: str) -> Sequence[Entrant]:
    """Lock the entrants of a season who have lost a match on time, and return them."""
    late = SeatHolder.match_id == match_id, SeatHolder.leave_reason == seats.TIMED_OUT
    players = ctx.session.scalars(select(SeatHolder.player_id).where(*late)).all()
    lost = select(Entrant).where(Entrant.event_id == event, Entrant.player_id.in_(players))
    return ctx.session.scalars(lost.order_by(Entrant.player_id).with_for_update()).all()
