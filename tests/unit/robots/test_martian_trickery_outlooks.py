"""Outlooks of Martian Trickery: what ordinary play comes to, from the cards that all seats hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest

from pbem.robots import Robot, outlook
from pbem.robots.martian_trickery import TrickeryRobot, outlooks
from pbem.robots.martian_trickery.reading import hand_of
from tests.support.games.trickery_play import CHANCE, FIVE_TRICKS, GAME, play, table

if TYPE_CHECKING:
    from pbem.games.martian_trickery.position import Position
    from pbem.robots.martian_trickery.hand import Hand

T = TypeVar("T")

ROBOT = TrickeryRobot(GAME)
SEED = bytes(32)


def suggested(position: Position) -> Position:
    (seat,) = GAME.to_move(position)
    return GAME.apply(position, seat, GAME.suggest(position, seat)[0], CHANCE)


def ends(hands: int) -> list[tuple[Position, Position]]:
    """Return the positions before and after the last card of each hand of a match."""
    position, found = table(hands=hands), []
    while not position.over:
        before, position = position, suggested(position)
        if len(position.scores) > len(before.scores):
            found.append((before, position))
    return found


def moved_on(seats: tuple[T, ...]) -> tuple[T, ...]:
    """Return what belongs to seats as if each sat one seat on."""
    return (*seats[-1:], *seats[:-1])


def test_a_match_with_one_card_to_go_has_its_result() -> None:
    before, over = ends(1)[-1]
    outcome = GAME.outcome(over)
    assert outcome
    assert ROBOT.outlook(before, 3, SEED) == outlook.average([outcome])


def test_after_a_hand_the_usual_points_are_added_for_each_that_follows() -> None:
    before, after = ends(2)[0]
    found = ROBOT.outlook(before, 3, SEED)
    assert after.totals == (3, 2, 3)
    assert found.points == pytest.approx([7.1, 6.1, 7.1])
    assert found.chances == pytest.approx([0.35, 0.3, 0.35], abs=0.01)


def test_seats_that_share_the_lead_play_another_hand() -> None:
    before, after = ends(1)[0]
    assert after.totals == (3, 2, 3)
    assert ROBOT.outlook(before, 3, SEED) == ROBOT.outlook(ends(2)[0][0], 3, SEED)


@pytest.mark.parametrize("moves", [(), FIVE_TRICKS])
@pytest.mark.parametrize("hands", [1, 4])
def test_it_does_not_matter_which_seat_is_which(moves: tuple[str, ...], hands: int) -> None:
    hand = hand_of(play(table(hands=hands), moves) if moves else table(hands=hands))
    turned: Hand = hand._replace(
        totals=moved_on(hand.totals),
        held=moved_on(hand.held),
        won=moved_on(hand.won),
        turn=(hand.turn + 1) % 3,
        winner=(hand.winner + 1) % 3,
    )
    found, as_turned = outlooks.outlook(hand, 20, SEED), outlooks.outlook(turned, 20, SEED)
    assert as_turned.chances == moved_on(found.chances)
    assert as_turned.points == moved_on(found.points)


def test_a_lead_decides_more_the_fewer_hands_follow() -> None:
    hand = hand_of(table(hands=4))._replace(totals=(10, 0, 0))
    early, late = (outlooks.outlook(hand._replace(hands_left=left), 50, SEED).chances[0] for left in (3, 1))
    assert early < late


@pytest.mark.parametrize("cards", [0, 9, 17, 22])
def test_ordinary_play_is_much_like_play_by_suggestions(cards: int) -> None:
    """Within 15 of 100 and two points: slips are not the second and third suggestions."""
    position = table(hands=1)
    for _ in range(cards):
        position = suggested(position)
    slow, fast = Robot.outlook(ROBOT, position, 200, SEED), ROBOT.outlook(position, 400, SEED)
    assert fast.chances == pytest.approx(slow.chances, abs=0.15)
    assert fast.points == pytest.approx(slow.points, abs=2)
