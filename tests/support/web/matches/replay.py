"""What tests of replay share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Match
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from tests.support.house import House


def play(house: House, match_id: str, moves: int) -> None:
    """Play the first legal move so many times."""
    for _ in range(moves):
        seat = house.match(match_id).to_move[0]
        house.reply(house.last(("Ann", "Bob", "Cyd")[seat - 1]), house.legal(match_id, seat)[0])


def finished(house: House, game: str = "montauk", moves: int = 4, **more: object) -> str:
    """Play a match a little, then have seat 1 resign."""
    match_id = house.start_match(game, 2, more or {"rounds": 1})
    play(house, match_id, moves)
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    return match_id
