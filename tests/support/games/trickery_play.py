"""Hands and tricks of Martian Trickery as its tests put them together."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.games.chance import Chance
from pbem.games.game import Move
from pbem.games.hidden import Hidden, Seat
from pbem.games.martian_trickery import MartianTrickery
from pbem.games.martian_trickery.position import Trick
from tests.support.places import DATA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.games.martian_trickery.position import Position
GAME = MartianTrickery()


VECTORS: dict[str, Any] = json.loads((DATA / "vectors" / "martian-trickery.json").read_text(encoding="utf-8"))
CHANCE = Chance(bytes(range(32)))
ONE, TWO, THREE, FOUR = map(Seat, (1, 2, 3, 4))


# Of the worked example.
FIVE_TRICKS = (
    *("R3 AD", "JD", "6D"),
    *("K2 7C", "AC", "6C"),
    *("Y3 KH", "JH", "6H"),
    *("G1 JC", "6S", "QC"),
    *("R1 AS", "9S", "QS"),
)


def table(seats: int = 3, /, **options: object) -> Position:
    return GAME.setup(seats, options, CHANCE)


def play(position: Position, moves: Iterable[str], chance: Chance = CHANCE) -> Position:
    for move in moves:
        (seat,) = GAME.to_move(position)
        position = GAME.apply(position, seat, Move(move), chance)
    return position


def holding(position: Position, *hands: str, **changes: Any) -> Position:
    """Return a position with other hands, and whatever else is wanted."""
    held = tuple(Hidden(tuple(hand.split()), frozenset({Seat(i)})) for i, hand in enumerate(hands, start=1))
    return replace(position, hands=held, **changes)


def tricks_won(*hauls: str) -> tuple[Trick, ...]:
    """Return tricks by which the seats have won these prizes; which cards won them does not matter."""
    cards = ("AH", "KH", "QH")
    return tuple(Trick(ONE, prize, cards, Seat(seat)) for seat, haul in enumerate(hauls, 1) for prize in haul.split())


def hand(position: Position, seat: int) -> str:
    return " ".join(position.hands[seat - 1].value)


def legal(position: Position) -> list[str]:
    (seat,) = GAME.to_move(position)
    return list(GAME.moves(position, seat))


def started(vector: Mapping[str, Any]) -> tuple[Position, Chance]:
    chance = Chance(bytes.fromhex(vector["seed"]))
    return GAME.setup(vector["players"], vector["options"], chance), chance


def read(typed: str, canonical: str) -> Move:
    """Read what was typed by a seat that holds just the card of the canonical move, in a trick where it belongs."""
    card = canonical[-2:]
    position = holding(table(), card, "", card)
    if " " not in canonical:
        return GAME.read(replace(position, prize="R1", cards=("AH", "7" + card[1]), turn=THREE), THREE, typed)
    return GAME.read(position, ONE, typed)
