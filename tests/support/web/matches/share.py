"""What tests of sharing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from tests.support.play.secrecy import stages

if TYPE_CHECKING:
    from tests.support.house import House


def played(house: House, game: str = "martian-whist", seats: int = 2, moves: int = 3) -> str:
    """Begin a match, and let some moves be made in it."""
    for _table, course in stages(house, game, seats, {}, moves):
        match_id = course.match.id
    return match_id


def end(house: House, match_id: str) -> None:
    with house.transaction() as ctx:
        match = lock_match(ctx, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
