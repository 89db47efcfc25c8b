"""Leagues and their seasons at a glance: which take entries, which are played, and a player's own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, case, func, select

from pbem.db.models import Entrant, Event, Match, SeatHolder
from pbem.play.events import entries, listing
from pbem.states import EntrantState, EventKind, EventState, MatchState

if TYPE_CHECKING:
    from typing import Any

    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a league: how many have entered it, and a reader's own entry; None if they never entered."""

    event: Event
    entrants: int
    own: Entrant | None = None

    @property
    def has_entered(self) -> bool:
        """Whether the reader takes part, or waits for a place."""
        return self.own is not None and self.own.state == EntrantState.ENTERED


@dataclass(frozen=True, slots=True)
class League:
    """A league of a game: its season that takes entries, those that are drawn or played, and those that are over.

    Two are played at once if one lasts longer than a quarter; the newest is the first.
    """

    game: str
    upcoming: Season | None
    current: tuple[Season, ...]
    past: tuple[Season, ...]


class Progress(NamedTuple):
    """How many groups and matches a season has, and how many of these are over."""

    groups: int
    matches: int
    over: int


@dataclass(frozen=True, slots=True)
class OwnSeason:
    """A season that a player takes part in: of `matches` in their group's tables, so many are over."""

    event: Event
    entrant: Entrant
    matches: int
    over: int


def leagues(ctx: Context, player: int | None = None) -> list[League]:
    """List the leagues with their seasons, the newest first; `player` reads them."""
    rows = ctx.session.execute(_seasons(player).order_by(Event.game, Event.season.desc()))
    seasons = [Season(event, count, own) for event, count, own in rows]
    return [_league(game, [*found]) for game, found in groupby(seasons, lambda one: one.event.game)]


def season(ctx: Context, event_id: int, player: int | None = None) -> Season | None:
    """Return a season of a league as a player reads it; None if there is no such one."""
    row = ctx.session.execute(_seasons(player).where(Event.id == event_id)).one_or_none()
    return Season(*row) if row else None


def progress(ctx: Context, event: Event) -> Progress:
    """Return how far a season is."""
    groups = select(func.max(Entrant.grp)).where(Entrant.event_id == event.id).scalar_subquery()
    over = func.count(case((Match.state == MatchState.OVER, Match.id)))
    counted = select(func.coalesce(groups, 0), func.count(), over).where(Match.event_id == event.id)
    row = ctx.session.execute(counted).one()
    return Progress(*row)


def undrawn(ctx: Context, event: Event, most: int) -> list[str]:
    """List entrants without a group by name, in the order of entries: all before the draw, then the waiting list."""
    entered = select(Entrant.name).where(Entrant.event_id == event.id, Entrant.grp.is_(None))
    entered = entered.where(Entrant.state == EntrantState.ENTERED).order_by(Entrant.entered_at, Entrant.player_id)
    return [*ctx.session.scalars(entered.limit(most))]


def own_seasons(ctx: Context, player: int) -> list[OwnSeason]:
    """List the seasons of leagues that a player takes part in and that are not over, the earliest begin first."""
    theirs = SeatHolder.player_id == player, SeatHolder.left_at.is_(None), Match.event_id == Event.id
    played = select(Match.id).join(SeatHolder, SeatHolder.match_id == Match.id).where(*theirs).correlate(Event)
    over = played.where(Match.state == MatchState.OVER)
    counts = [select(func.count()).select_from(one.subquery()).scalar_subquery() for one in (played, over)]
    entered = select(Event, Entrant, *counts).join(Entrant, Entrant.event_id == Event.id)
    entered = entered.where(Entrant.player_id == player, Entrant.state == EntrantState.ENTERED)
    entered = entered.where(Event.kind == EventKind.LEAGUE, Event.state != EventState.OVER)
    return [OwnSeason(*row) for row in ctx.session.execute(entered.order_by(Event.starts_at, Event.id))]


def takes_entries(ctx: Context, one: Season) -> bool:
    """Return whether the reader of a season can enter it now."""
    return not one.has_entered and entries.takes_entries(ctx, one.event)


def _seasons(player: int | None) -> Any:
    entry = and_(Entrant.event_id == Event.id, Entrant.player_id == (0 if player is None else player))
    return select(Event, listing.ENTERED, Entrant).outerjoin(Entrant, entry).where(Event.kind == EventKind.LEAGUE)


def _league(game: str, seasons: list[Season]) -> League:
    upcoming = next((one for one in seasons if one.event.state == EventState.OPEN), None)
    current = tuple(one for one in seasons if one.event.state in {EventState.DRAWN, EventState.RUNNING})
    return League(game, upcoming, current, tuple(one for one in seasons if one.event.state == EventState.OVER))
