"""Pairs of matches that are played there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Match
from pbem.play.lifecycle import endings, match_requests
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.upkeep import deal_openings
from pbem.robots import Level
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.play.lifecycle.forks import played

if TYPE_CHECKING:
    from tests.support.house import House

ANN, BOB = Invitee("Ann", address("Ann")), Invitee("Bob", address("Bob"))
ROBOT = match_requests.robot(Level.EASY)
WHIST = "martian-whist"


def invite(house: House, game: str = WHIST, opponent: Invitee | None = BOB, **more: Any) -> str:
    """Create a pair of Ann's; return its first match."""
    options = more.pop("options", {"sets": 2} if game == WHIST else {})
    fields = {"creator": 1, "there_and_back": True} | more
    with house.transaction() as ctx:
        return create_match(ctx, game, options, [ANN, opponent], **fields).id


def begin(house: House, game: str = WHIST, **more: Any) -> list[str]:
    """Create a pair that Bob accepts; return both matches."""
    first = invite(house, game, **more)
    house.mails("Ann")
    house.reply(house.last("Bob"), "accept")
    return pair(house, first)


def pair(house: House, first: str) -> list[str]:
    """List the matches of a pair, the first one first."""
    shared = house.match(first).set_id
    return house.all(select(Match.id).where(Match.set_id == shared).order_by(Match.set_place))


def finish(house: House, match_id: str, way: int = 0) -> dict[str, int]:
    """Play a match to its end by legal moves; return the scores by seat."""
    with house.transaction() as ctx:
        played(ctx, match_id, way=way)
    result: Any = house.match(match_id).result
    scores: dict[str, int] = result["scores"]
    return scores


def resign(house: House, match_id: str, seat: int = 1) -> None:
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        endings.resign(ctx, course, holders(ctx, course.match)[seat - 1])


def open_due(house: House) -> int:
    """Open the deals that are due; return how many were."""
    opened = 0
    while True:
        with house.transaction() as ctx:
            if not deal_openings.open_due(ctx):
                return opened
            opened += 1
