"""Lists of events of all kinds, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select, tuple_

from pbem.db.models import Entrant, Event
from pbem.states import EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

ENTERED = (
    select(func.count())
    .select_from(Entrant)
    .where(Entrant.event_id == Event.id, Entrant.state == EntrantState.ENTERED)
    .correlate(Event)
    .scalar_subquery()
)
"""How many take part in the event of a row."""


class EventFilter(NamedTuple):
    """Filters of events; an empty one matches all."""

    kind: EventKind | None = None
    game: str = ""
    state: EventState | None = None


class ListedEvent(NamedTuple):
    """An event, and how many take part in it."""

    event: Event
    entrants: int


class OwnEvent(NamedTuple):
    """An event that a player takes part in, with their own entry."""

    event: Event
    entrants: int
    entrant: Entrant


def list_page(
    ctx: Context, wanted: EventFilter, after: tuple[datetime, int] | None = None, *, most: int
) -> list[ListedEvent]:
    """List events, those that opened last first, after the time and the id of one."""
    conditions = [getattr(Event, name) == value for name, value in wanted._asdict().items() if value not in {None, ""}]
    found: Any = select(Event, ENTERED).where(*conditions)
    if after:
        found = found.where(tuple_(Event.opens_at, Event.id) < after)
    rows = ctx.session.execute(found.order_by(Event.opens_at.desc(), Event.id.desc()).limit(most))
    return [ListedEvent(*row) for row in rows]


def find(ctx: Context, event: int) -> ListedEvent | None:
    """Return an event by its id."""
    row = ctx.session.execute(select(Event, ENTERED).where(Event.id == event)).one_or_none()
    return ListedEvent(*row) if row else None


def own_events(ctx: Context, player: int) -> list[OwnEvent]:
    """List the events that a player takes part in and that are not over, the earliest begin first."""
    return _own(ctx, player)


def own_ladders(ctx: Context, player: int) -> list[OwnEvent]:
    """List the ladders that a player is on."""
    return _own(ctx, player, Event.kind == EventKind.LADDER)


def _own(ctx: Context, player: int, *only: ColumnElement[bool]) -> list[OwnEvent]:
    theirs = Entrant.player_id == player, Entrant.state == EntrantState.ENTERED, Event.state != EventState.OVER
    entered = select(Event, ENTERED, Entrant).join(Entrant, Entrant.event_id == Event.id).where(*theirs, *only)
    return [OwnEvent(*row) for row in ctx.session.execute(entered.order_by(Event.starts_at, Event.id))]
