"""What the robot of Martian Trickery takes the hidden cards to be: any deal that fits the log, each equally likely."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games.chance import Chance, Stream
from pbem.robots.martian_trickery import TrickeryRobot, card_bits, deals
from tests.support.examples import few
from tests.support.games.trickery_play import FIVE_TRICKS, GAME, ONE, THREE, TWO, holding, play, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games.hidden import Seat
    from pbem.games.martian_trickery.position import Position

ROBOT = TrickeryRobot(GAME)
DRAWS = 50_000


def walked(seats: int, plies: int, seed: int) -> Position:
    """Return a position after moves drawn at random, without a spade where that is possible."""
    chance, stream = Chance(bytes([seed] * 32)), Stream(bytes([seed] * 32), "walk")
    position = GAME.setup(seats, {"hands": 1}, chance)
    for _ in range(plies):
        (seat,) = GAME.to_move(position)
        moves = list(GAME.moves(position, seat))
        choice = [move for move in moves if move[-1] != "S"] or moves
        position = GAME.apply(position, seat, choice[stream.below(len(choice))], chance)
    return position


def shared_out(cards: frozenset[str], sizes: list[int]) -> Iterator[tuple[frozenset[str], ...]]:
    """Yield every way to deal cards to seats that hold so many."""
    if not sizes:
        yield ()
        return
    for dealt in map(frozenset, combinations(sorted(cards), sizes[0])):
        for others in shared_out(cards - dealt, sizes[1:]):
            yield (dealt, *others)


def is_allowed(log: list[Any], held: tuple[frozenset[str], ...]) -> bool:
    """Return whether all moves of the only hand would have been legal, had the seats held these cards now."""
    played = [[entry["move"][-2:] for entry in log if entry["seat"] == seat] for seat in range(1, len(held) + 1)]
    dealt = [" ".join([*cards, *past]) for cards, past in zip(held, played, strict=True)]
    before = holding(GAME.setup(len(held), {"hands": 1}, Chance(bytes(32))), *dealt)
    for entry in log:
        if not GAME.allows(before, entry["seat"], entry["move"]):
            return False
        before = GAME.apply(before, entry["seat"], entry["move"], Chance(bytes(32)))
    return True


def allowed_deals(position: Position, mover: Seat) -> list[tuple[frozenset[str], ...]]:
    held = [frozenset(each.value) for each in position.hands]
    unseen = frozenset[str]().union(*(cards for seat, cards in enumerate(held, 1) if seat != mover))
    sizes = [len(cards) for seat, cards in enumerate(held, 1) if seat != mover]
    all_deals = [(*some[: mover - 1], held[mover - 1], *some[mover - 1 :]) for some in shared_out(unseen, sizes)]
    log = GAME.view(position, mover).log
    return [deal for deal in all_deals if is_allowed(log, deal)]


def number(unseen: deals.Unseen) -> int:
    return deals.count(unseen.sizes, unseen.room)


def critical(freedom: int) -> float:
    """Return the value that χ² exceeds with a chance of 0.001 (Wilson and Hilferty)."""
    return float(freedom * (1 - 2 / (9 * freedom) + 3.0902 * (2 / (9 * freedom)) ** 0.5) ** 3)


@pytest.mark.parametrize(
    ("seats", "plies", "seed", "count"),
    [*few([(4, 37, 27, 150), (3, 19, 52, 126), (3, 18, 1, 252), (4, 36, 33, 500)], 2)],
)
def test_all_deals_that_the_log_allows_come_equally_often(seats: int, plies: int, seed: int, count: int) -> None:
    position = walked(seats, plies, seed)
    (mover,) = GAME.to_move(position)
    known, stream = ROBOT.know(GAME.view(position, mover)), Stream(bytes(32), "draws")
    allowed = Counter(tuple(map(card_bits.join, deal)) for deal in allowed_deals(position, mover))
    drawn = Counter(ROBOT.imagine(known, stream).held for _ in range(DRAWS))
    assert len(allowed) == number(known.unseen) == count
    assert drawn.keys() == allowed.keys()
    often = DRAWS / count
    assert sum((times - often) ** 2 / often for times in drawn.values()) < critical(count - 1)


def test_a_seat_that_did_not_follow_is_out_of_the_suit() -> None:
    position = replace(play(table(), FIVE_TRICKS), turn=ONE)
    assert "6S" in [entry["move"] for entry in GAME.view(position, ONE).log if entry["seat"] == THREE], (
        "played to clubs"
    )
    assert {card[1] for card in imagined_cards(position, ONE, THREE)} == set("SHD")
    assert {card[1] for card in imagined_cards(position, ONE, TWO)} == set("SHDC")


def test_a_seat_that_led_a_spade_before_they_were_broken_holds_nothing_else() -> None:
    position = walked(4, 37, 27)
    assert not position.broken
    assert GAME.view(position, TWO).log[32] == {"seat": ONE, "move": "Y3 AS"}
    assert {card[1] for card in imagined_cards(position, TWO, ONE)} == {"S"}


def test_a_deal_of_an_earlier_hand_says_nothing() -> None:
    chance = Chance(bytes(32))
    position = GAME.setup(3, {}, chance)
    while position.hand_number == 1:
        (seat,) = GAME.to_move(position)
        position = GAME.apply(position, seat, next(iter(GAME.moves(position, seat))), chance)
    assert number(ROBOT.know(GAME.view(position, TWO)).unseen) == comb(24, 12)


def test_only_deals_that_leave_room_for_the_other_cards_are_drawn() -> None:
    """Of 1, 2 and 4 seat 2 must take two, and of 8, 16 and 32 seat 1."""
    unseen = deals.group(
        [*((card, (False, True, True)) for card in (1, 2, 4)), *((card, (True, False, True)) for card in (8, 16, 32))],
        room=(2, 2, 2),
    )
    stream = Stream(bytes(32), "room")
    drawn = {tuple(deals.draw(unseen, stream)) for _ in range(500)}
    assert number(unseen) == 9
    assert drawn == {(56 - high, 7 - low, high + low) for high in (8, 16, 32) for low in (1, 2, 4)}


@pytest.mark.parametrize("n", [1, 10, 2**32, 2**32 + 1, 2**63 + 1])
def test_a_number_below_any_other_is_drawn(n: int) -> None:
    stream = Stream(bytes(32), "below")
    drawn = [deals.draw_below(stream, n) for _ in range(2000)]
    assert all(0 <= number < n for number in drawn)
    assert sum(drawn) / len(drawn) == pytest.approx((n - 1) / 2, rel=0.05)


def imagined_cards(position: Position, viewer: Seat, seat: Seat) -> set[str]:
    """Return all cards that a seat holds in many imagined deals."""
    known, stream = ROBOT.know(GAME.view(position, viewer)), Stream(bytes(32), "cards")
    drawn = [ROBOT.imagine(known, stream).held[seat - 1] for _ in range(200)]
    return {card_bits.CARD_OF_BIT[card] for held in drawn for card in card_bits.split(held)}
