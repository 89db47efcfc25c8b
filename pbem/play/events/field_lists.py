"""Lists of fields: those that take entries or are played, and past ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_

from pbem.db.models import DealSet, Entrant, Event
from pbem.states import DealSetKind, EntrantState, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.play.core.context import Context

_ENTRANTS = (
    select(func.count())
    .where(Entrant.event_id == Event.id, Entrant.state == EntrantState.ENTERED)
    .correlate(Event)
    .scalar_subquery()
)
_IS_FIELD = Event.kind == EventKind.FIELD


@dataclass(frozen=True, slots=True)
class FieldSummary:
    """A field with the number of those who have entered, its deals, and the reader's own entry, if any."""

    event: Event
    entrants: int
    deals: Sequence[DealSet]
    own: Entrant | None

    @property
    def has_entered(self) -> bool:
        """Whether the reader takes part."""
        return self.own is not None and self.own.state == EntrantState.ENTERED

    @property
    def opened(self) -> int:
        """The number of deals that are open."""
        return sum(deal.opened_at is not None for deal in self.deals)


def current(ctx: Context, player: int | None = None) -> list[FieldSummary]:
    """List the fields that are not over: those that take entries first, then the latest."""
    wanted = select(Event, _ENTRANTS).where(_IS_FIELD, Event.state != EventState.OVER)
    return _load(ctx, wanted.order_by(Event.state != EventState.OPEN, Event.starts_at.desc(), Event.id), player)


def past(
    ctx: Context, most: int, player: int | None = None, before: tuple[datetime, int] | None = None
) -> list[FieldSummary]:
    """List the fields that are over, the latest end first; `before` is the cursor."""
    wanted = select(Event, _ENTRANTS).where(_IS_FIELD, Event.state == EventState.OVER)
    if before:
        wanted = wanted.where(tuple_(Event.ended_at, Event.id) < before)
    return _load(ctx, wanted.order_by(Event.ended_at.desc(), Event.id.desc()).limit(most), player)


def find(ctx: Context, event_id: int, player: int | None = None) -> FieldSummary | None:
    """Return a field, or None if there is none of that number."""
    found = _load(ctx, select(Event, _ENTRANTS).where(_IS_FIELD, Event.id == event_id), player)
    return found[0] if found else None


def open_for_entries(ctx: Context, game: str) -> Event | None:
    """Return the field of a game that takes entries, or None."""
    wanted = select(Event).where(_IS_FIELD, Event.game == game, Event.state == EventState.OPEN)
    return ctx.session.scalar(wanted.order_by(Event.id).limit(1))


def entered(ctx: Context, game: str, player: int) -> list[Event]:
    """List the fields of a game in which a player takes part, those that have begun last."""
    wanted = (
        select(Event)
        .join(Entrant, Entrant.event_id == Event.id)
        .where(_IS_FIELD, Event.game == game, Event.state != EventState.OVER)
    )
    theirs = wanted.where(Entrant.player_id == player, Entrant.state == EntrantState.ENTERED)
    return [*ctx.session.scalars(theirs.order_by(Event.state != EventState.OPEN, Event.id.desc()))]


def _load(ctx: Context, wanted: Select[Any], player: int | None) -> list[FieldSummary]:
    rows = [(row[0], row[1]) for row in ctx.session.execute(wanted)]
    events = [event.id for event, _count in rows]
    deals: dict[int, list[DealSet]] = {event: [] for event in events}
    sets = select(DealSet).where(DealSet.event_id.in_(events)).order_by(DealSet.id)
    for deal_set in ctx.session.scalars(sets) if events else ():
        if deal_set.event_id is not None:
            deals[deal_set.event_id].append(deal_set)
    theirs = select(Entrant).where(Entrant.event_id.in_(events), Entrant.player_id == player)
    own = {one.event_id: one for one in ctx.session.scalars(theirs)} if events and player else {}
    return [FieldSummary(event, count, deals[event.id], own.get(event.id)) for event, count in rows]


def deals(ctx: Context, most: int, game: str = "", after: tuple[datetime, str] | None = None) -> Sequence[DealSet]:
    """List the deals of all fields, newest first; `game` filters, `after` is the cursor."""
    wanted = select(DealSet).where(DealSet.kind == DealSetKind.FIELD)
    if game:
        wanted = wanted.where(DealSet.game == game)
    if after:
        wanted = wanted.where(tuple_(DealSet.created_at, DealSet.id) < after)
    return ctx.session.scalars(wanted.order_by(DealSet.created_at.desc(), DealSet.id.desc()).limit(most)).all()
