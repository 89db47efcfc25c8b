"""What happened in leagues, for feeds: the steps of seasons, and the matches that are over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Event, EventMatch, Match
from pbem.play.matches.views import player_names_by_match
from pbem.states import EventKind, EventState, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pbem.play.core.context import Context

MAX_SEASONS = 20
"""Maximum seasons, the newest, whose steps are news."""
MAX_MATCHES = 50
"""Maximum matches, those that ended last, that are news."""

_REACHED = tuple(EventState)
"""The states of a season in order."""


class Step(StrEnum):
    """A step of a season."""

    OPENED = "opened"
    DRAWN = "drawn"
    BEGUN = "begun"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, with its players in seat order and the number of its group."""

    match: Match
    names: tuple[str, ...]
    group: int | None


def newest_seasons(ctx: Context) -> list[Event]:
    """List the newest seasons of all leagues."""
    newest = select(Event).where(Event.kind == EventKind.LEAGUE).order_by(Event.opens_at.desc(), Event.id.desc())
    return [*ctx.session.scalars(newest.limit(MAX_SEASONS))]


def steps(event: Event) -> Iterator[tuple[Step, datetime]]:
    """Yield the steps that a season has taken, and when."""
    times = {Step.OPENED: event.opens_at, Step.DRAWN: event.draws_at, Step.BEGUN: event.starts_at}
    times[Step.ENDED] = event.ended_at
    for step, at in list(times.items())[: _REACHED.index(event.state) + 1]:
        if at is not None:
            yield step, at


def finished_matches(ctx: Context, event: Event) -> list[FinishedMatch]:
    """List the matches of a season that ended last, the newest first."""
    over = select(Match, EventMatch.grp).join(EventMatch, EventMatch.match_id == Match.id)
    over = over.where(Match.event_id == event.id, Match.state == MatchState.OVER, Match.public)
    rows = ctx.session.execute(over.order_by(Match.ended_at.desc(), Match.id).limit(MAX_MATCHES)).all()
    names = player_names_by_match(ctx, [row.Match.id for row in rows])
    return [FinishedMatch(row.Match, names.get(row.Match.id, ()), row.grp) for row in rows]
