"""The places of a ladder, stored with its entrants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant
from pbem.states import EntrantState

if TYPE_CHECKING:
    from pbem.db.models import Event
    from pbem.events.ladder import Order
    from pbem.play.core.context import Context


def entrants(ctx: Context, event: Event) -> list[Entrant]:
    """List the entrants of a ladder from the first place down."""
    listed = select(Entrant).where(Entrant.event_id == event.id, Entrant.state == EntrantState.ENTERED)
    ordered = listed.order_by(Entrant.place.nulls_last(), Entrant.entered_at, Entrant.player_id)
    # Another transaction may have changed places until the ladder was locked.
    return [*ctx.session.scalars(ordered.execution_options(populate_existing=True))]


def order(ctx: Context, event: Event) -> Order:
    """Return the players of a ladder from the first place down."""
    return tuple(one.player_id for one in entrants(ctx, event))


def find(ctx: Context, event: Event, player: int) -> int | None:
    """Return the place of a player, if they are on a ladder."""
    return ctx.session.scalar(select(Entrant.place).where(Entrant.event_id == event.id, Entrant.player_id == player))


def store(ctx: Context, event: Event, players: Order) -> None:
    """Store the order of a ladder's players; those who are not in it have no place. The caller has locked the event."""
    places = {player: place for place, player in enumerate(players, 1)}
    with_place = select(Entrant).where(Entrant.event_id == event.id)
    for one in ctx.session.scalars(with_place.where(Entrant.place.is_not(None) | Entrant.player_id.in_(players))):
        place = places.get(one.player_id)
        if one.place != place:
            one.place, one.place_since = place, ctx.now if place else None
    ctx.session.flush()
