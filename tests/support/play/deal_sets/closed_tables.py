"""Two tables of one deal, of which one is over and one is running, and all that nobody else may see of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import DealSet, Match
from pbem.games import Seat
from pbem.play.core.context import system_time
from pbem.play.deal_sets import creation, dealing
from pbem.play.deal_sets.members import members
from pbem.play.lifecycle import arranged_matches
from pbem.play.lifecycle.match_requests import EventPlace, Invitee, MatchRequest, Terms
from pbem.play.matches import descriptions
from pbem.play.matches.views import player_names
from pbem.play.upkeep import deal_openings
from pbem.states import DealSetKind, EventKind, EventState, Withheld
from tests.support.house import address
from tests.support.play.canaries import canaries
from tests.support.play.events import fields
from tests.support.play.events.entering import open_event, person

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.house import House

TABLES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "martian-trickery": (("Ann", "Bob", "Cyd"), ("Dee", "Eve", "Fay")),
    "minimax": (("Ann",), ("Dee",)),
    "montauk": (("Ann", "Bob"), ("Dee", "Eve")),
}
SHORT: Mapping[str, Mapping[str, object]] = {"martian-trickery": {"hands": 1}, "minimax": {}, "montauk": {"rounds": 1}}


@dataclass(frozen=True)
class ClosedTables:
    """A deal with a match that is over and one that is running.

    `cards` are those that were dealt hidden, `words` are the secret, the seed, and how the one match has ended.
    """

    set_id: str
    over: str
    running: str
    cards: frozenset[str]
    words: frozenset[str]


def closed_tables(house: House, game: str, *, withheld: Withheld = Withheld.TABLE, **terms: Any) -> ClosedTables:
    """Play a deal to its end at one table, and begin it at another."""
    over, running, set_id = begin(house, game, withheld=withheld, **terms)
    fields.play(house, over, system_time())
    fields.play(house, running, system_time(), moves=2)
    with house.course(over) as (ctx, course):
        shared = ctx.session.get_one(DealSet, set_id)
        assert course.match.result
        assert shared.seed
        ending = descriptions.ending(course.match.result, player_names(ctx, course.match))
        cards = canaries(course.first_position, Seat(0))
        words = {shared.secret.hex(), shared.seed.hex(), ending.partition(". ")[2]}
    return ClosedTables(set_id, over, running, frozenset(cards), frozenset(words))


def begin(house: House, game: str, *, withheld: Withheld = Withheld.TABLE, **terms: Any) -> tuple[str, str, str]:
    """Begin a deal at two tables; return the matches and the deal."""
    is_week = game == "minimax"
    kind = DealSetKind.WEEK if is_week else DealSetKind.FIELD
    field = None if is_week else open_event(house, game, kind=EventKind.FIELD, state=EventState.RUNNING)
    with house.transaction() as ctx:
        times = {"starts_at": ctx.now, "closes_at": ctx.now + timedelta(days=7)}
        week = 1 if is_week else None
        shared = creation.create_set(ctx, kind, game, SHORT[game], event_id=field, week=week, **times)
        for place, names in enumerate(TABLES[game], 1):
            for name in names:
                person(ctx, name)
            guests = [Invitee(name, address(name)) for name in names]
            event = EventPlace(field, shared, place, withheld)
            request = MatchRequest(game, SHORT[game], guests, Terms(**terms), event=event)
            arranged_matches.arrange(ctx, request)
        ctx.session.flush()
        dealing.deal(ctx, shared)
        found = members(ctx, shared)
        for match in found:
            arranged_matches.begin(ctx, match)
    house.deliver()
    return found[0].id, found[1].id, shared.id


def open_deal(house: House, tables: ClosedTables) -> None:
    """Move on beyond the last day of a deal, after both of its tables are over."""
    fields.play(house, tables.running, system_time())
    with house.transaction(system_time() + timedelta(days=8)) as ctx:
        assert deal_openings.open_due(ctx)
    assert not house.all(select(Match.id).where(Match.set_id == tables.set_id, Match.withheld.is_not(None)))
