"""Games whose deal is open say so: a deal that is played there and back must show no seat what another one holds."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games import GAMES, Chance, Eye, Seat


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_a_deal_is_open_where_the_game_says_so_and_nowhere_else(key: str, seed: int) -> None:
    game = GAMES[key]
    count = game.seats[0]
    position: Any = game.setup(count, {}, Chance(bytes([seed]) * 32))
    everything = game.board(position, Eye.OPEN)
    seen = [game.board(position, Seat(seat)) for seat in range(1, count + 1)]
    assert all(board == everything for board in seen) == game.has_open_deal
