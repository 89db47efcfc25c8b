"""What tests of holding share."""

from __future__ import annotations

from tests.support.house import NAMES, House


def mover(house: House, match_id: str) -> str:
    (seat,) = house.match(match_id).to_move
    return NAMES[seat - 1]


def legal(house: House, match_id: str) -> tuple[str, ...]:
    return house.legal(match_id, house.match(match_id).to_move[0])
