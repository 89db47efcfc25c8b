"""Outlooks of Montauk: what ordinary play comes to, from the cards that both seats hold."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import Chance, Hidden, Move
from pbem.games.montauk.round import ONE, SEAT_ONLY, TRICKS, TWO, Position, Race, Score, other_seat
from pbem.games.montauk.track import after_spending, spendings
from pbem.robots import Robot, outlook
from pbem.robots.montauk import MontaukRobot
from pbem.robots.montauk.kinds import GROUPS, NUMBER
from pbem.robots.montauk.later_rounds import prospect
from pbem.robots.montauk.spendings import LIGHTEST_END, OFFSET
from tests.support.examples import examples
from tests.support.games.montauk_play import EXAMPLE, GAME, played

if TYPE_CHECKING:
    from pbem.robots import Outlook

ROBOT = MontaukRobot(GAME)
SEED = bytes(32)
CHANCE = Chance(EXAMPLE)


def dealt(rounds: int = 1) -> Position:
    return GAME.setup(2, {"rounds": rounds}, CHANCE)


def suggested(position: Position, moves: int) -> Position:
    """Play on by first suggestions."""
    for _ in range(moves):
        position = GAME.apply(position, seat := GAME.to_move(position)[0], GAME.suggest(position, seat)[0], CHANCE)
    return position


# -- ends --------------------------------------------------------------------------------------------


@settings(max_examples=examples(20), deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_a_last_trick_without_choice_has_its_result(seed: bytes) -> None:
    """Each seat has one card, and spends so that the least is left to do."""
    chance = Chance(seed)
    position, found = GAME.setup(2, {"rounds": 1}, chance), []
    while position.phase != "over":
        if position.race.trick == TRICKS:
            found.append(ROBOT.outlook(position, 2, SEED))
        position = GAME.apply(position, GAME.to_move(position)[0], hasty_move(position), chance)
    outcome = GAME.outcome(position)
    assert outcome
    assert all(each == outlook.average([outcome]) for each in found)


def hasty_move(position: Position) -> Move:
    if not position.to_use:
        return Move(position.hands[GAME.to_move(position)[0] - 1].value[0])
    track = position.track
    end = LIGHTEST_END[OFFSET[GROUPS.index(position.to_use)] + NUMBER[track]]
    return next(move for move in spendings(track, position.to_use) if NUMBER[after_spending(track, move)] == end)


# -- fairness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["", "3S", "3S; AC", "3S; AC; 5-2 1-off"])
def test_it_does_not_matter_which_seat_is_which(moves: str) -> None:
    position = played(moves, 3) if moves else dealt(3)
    found, turned = ROBOT.outlook(position, 1000, SEED), ROBOT.outlook(exchanged(position), 1000, SEED)
    assert turned.chances == pytest.approx(found.chances[::-1], abs=0.04)
    assert turned.points == pytest.approx(found.points[::-1], abs=0.4)


def exchanged(position: Position) -> Position:
    """Return a position whose seats have changed places."""
    score, race, trick, (one, two) = position.score, position.race, position.trick, position.hands
    leader = other_seat(trick.leader)
    return replace(
        position,
        score=replace(score, hair=other_seat(score.hair)),
        race=Race(race.trick, race.tracks[::-1], race.nulls[::-1], race.first and other_seat(race.first)),
        trick=replace(
            trick,
            leader=leader,
            mover=other_seat(GAME.to_move(position)[0]),
            winner=other_seat(trick.winner),
            lead=trick.lead and Hidden(trick.lead.value, SEAT_ONLY[leader]),
        ),
        hands=(Hidden(two.value, SEAT_ONLY[ONE]), Hidden(one.value, SEAT_ONLY[TWO])),
    )


def test_a_lead_that_lies_face_down_counts() -> None:
    hand = dealt().hands[(GAME.to_move(dealt())[0]) - 1].value
    found = {ROBOT.outlook(played(card), 200, SEED).chances for card in hand}
    assert len(found) > 1


def test_ordinary_play_is_much_like_play_by_suggestions() -> None:
    """Within 15 of 100 on average: cards are chosen with more chance than by suggestions."""
    positions = [suggested(dealt(3), moves) for moves in (3, 10, 17, 24, 30, 36)]
    slow, fast = ([find(position).chances[0] for position in positions] for find in (by_suggestions, quickly))
    assert fmean(abs(one - other) for one, other in zip(slow, fast, strict=True)) < 0.15


def by_suggestions(position: Position) -> Outlook:
    return Robot.outlook(ROBOT, position, 15, SEED)


def quickly(position: Position) -> Outlook:
    return ROBOT.outlook(position, 500, SEED)


# -- rounds to come ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds_left", [0, 1, 11])
@pytest.mark.parametrize("lead", [-7, 0, 3])
def test_what_one_seat_may_expect_the_other_may_not(lead: int, rounds_left: int) -> None:
    one, two = prospect(lead, rounds_left, ONE), prospect(-lead, rounds_left, TWO)
    assert one.chance + two.chance == pytest.approx(1)
    assert one.lead + two.lead == pytest.approx(0)


def test_the_last_lead_decides() -> None:
    assert [prospect(lead, 0, ONE) for lead in (-1, 0, 5)] == [(0, -1), (0.5, 0), (1, 5)]


def test_a_lead_grows_as_the_seat_behind_leads_the_next_round() -> None:
    assert prospect(5, 1, ONE).lead == pytest.approx(6.2, abs=0.2)
    assert prospect(0, 1, ONE).lead == pytest.approx(-1.2, abs=0.2)
    assert prospect(0, 1, ONE).chance < 0.5 < prospect(0, 1, TWO).chance


def test_a_lead_decides_more_the_fewer_rounds_are_left() -> None:
    chances = [prospect(5, rounds_left, ONE).chance for rounds_left in (11, 5, 2, 1)]
    assert chances == sorted(chances)


def test_scores_before_count() -> None:
    position = replace(dealt(3), score=Score(3, ONE, 2, (9, 2), (0, 0)))
    behind = replace(position, score=Score(3, ONE, 2, (2, 9), (0, 0)))
    ahead, found = ROBOT.outlook(position, 200, SEED), ROBOT.outlook(behind, 200, SEED)
    assert ahead.chances[0] > found.chances[0] + 0.3
    assert sum(ahead.points) == pytest.approx(sum(found.points))
