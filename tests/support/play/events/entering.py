"""Events with entrants for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pbem.db.models import Entrant, Event, Player
from pbem.play.events import entries
from pbem.play.players import registry
from pbem.states import EventKind, EventState
from tests.support.house import address

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House

OPENED = datetime(2026, 2, 1, 9, tzinfo=UTC)
DRAWN, BEGUN = datetime(2026, 3, 30, 9, tzinfo=UTC), datetime(2026, 4, 1, 9, tzinfo=UTC)


def open_event(house: House, game: str = "montauk", **more: Any) -> int:
    """Insert an event that takes entries, and return its id; `more` are other values of its row."""
    row: dict[str, Any] = {
        "kind": EventKind.LEAGUE,
        "game": game,
        "options": {},
        "time_control": "3 days",
        "state": EventState.OPEN,
        "season": 1,
        "opens_at": OPENED,
        "draws_at": DRAWN,
        "starts_at": BEGUN,
        "ends_at": BEGUN + timedelta(days=130),
    }
    with house.transaction(OPENED) as ctx:
        event = Event(**row | more)
        ctx.session.add(event)
        ctx.session.flush()
        return event.id


def person(ctx: Context, name: str, *, confirmed: bool = True) -> Player:
    """Return the player of a name, whose address is confirmed."""
    email = address(name)
    player = registry.get_or_create(ctx, {email: name})[email]
    if confirmed:
        registry.mark_verified(ctx, email)
    return player


def enter(house: House, event: int, name: str, at: datetime = OPENED, *, confirmed: bool = True, **more: Any) -> None:
    """Enter somebody into an event at a time."""
    with house.transaction(at) as ctx:
        entries.enter(ctx, ctx.session.get_one(Event, event), person(ctx, name, confirmed=confirmed), name, **more)


def withdraw(house: House, event: int, name: str, at: datetime = OPENED, reason: str = entries.ASKED) -> None:
    """Withdraw somebody from an event at a time."""
    with house.transaction(at) as ctx:
        entries.withdraw(ctx, ctx.session.get_one(Event, event), person(ctx, name), reason)


def entrant(house: House, event: int, name: str) -> Entrant:
    """Return somebody's row in an event."""
    with house.transaction() as ctx:
        found: Entrant = ctx.session.get_one(Entrant, (event, person(ctx, name).id))
        return found


def listed(house: House, event: int) -> list[str]:
    """Return the names of those who have entered an event."""
    with house.transaction() as ctx:
        return [one.name for one in entries.entrants(ctx, ctx.session.get_one(Event, event))]
