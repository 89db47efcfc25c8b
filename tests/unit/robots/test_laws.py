"""Laws that hold for every robot that is found, with any options, at any point of any match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem import robots
from pbem.games import GAMES, Chance, Eye, Stream
from tests.support.examples import examples
from tests.support.games.laws import sampled, turns_of
from tests.support.games.random_play import Match, walk

if TYPE_CHECKING:
    from pbem.robots import Level, Robot

THINKING = [robot for key in GAMES if (robot := robots.find(key))]
PLAYOUTS = 20
"""Enough to grow a tree, few enough for many examples."""

every_game = pytest.mark.parametrize("key", GAMES)
every_robot = pytest.mark.parametrize("robot", THINKING, ids=lambda robot: robot.game)
some_matches = settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
seeds = st.binary(min_size=32, max_size=32)


@every_robot
@some_matches
@given(data=st.data(), seed=seeds)
def test_what_a_robot_imagines_looks_like_its_view(robot: Robot[Any, Any], data: st.DataObject, seed: bytes) -> None:
    match, turns = turns_of(data, robot.game)
    for turn in sampled(data, turns):
        view = match.game.view(turn.before, turn.seat)
        known = robot.know(view)
        imagined = robot.imagine(known, Stream(seed, "law"))
        assert match.game.view(robot.position_of(known, imagined), turn.seat) == view


@every_robot
@some_matches
@given(data=st.data(), seed=seeds)
def test_a_choice_is_legal_and_depends_on_the_view_and_the_seed(
    robot: Robot[Any, Any], data: st.DataObject, seed: bytes
) -> None:
    match, turns = turns_of(data, robot.game)
    for turn in sampled(data, turns, 2):
        thoughts = [
            robot.think(match.game.view(position, turn.seat), PLAYOUTS, seed)
            for position in (turn.before, match.game.exchange(turn.before, turn.seat, seed))
        ]
        assert match.game.allows(turn.before, turn.seat, thoughts[0].move)
        assert thoughts[0] == thoughts[1]


@every_robot
@some_matches
@given(data=st.data(), seed=seeds)
def test_a_thought_says_how_often_and_how_well_each_move_was_tried(
    robot: Robot[Any, Any], data: st.DataObject, seed: bytes
) -> None:
    match, turns = turns_of(data, robot.game)
    for turn in sampled(data, turns, 2):
        thought = robot.think(match.game.view(turn.before, turn.seat), PLAYOUTS, seed)
        assert thought.move in [tried.move for tried in thought.tried]
        assert all(match.game.allows(turn.before, turn.seat, tried.move) for tried in thought.tried)
        assert all(0 <= tried.worth <= 1 for tried in thought.tried)


@every_game
@some_matches
@given(data=st.data(), seed=seeds, level=st.sampled_from(robots.QUICK_LEVELS))
def test_levels_without_thinking_are_legal_and_see_nothing_hidden(
    key: str, data: st.DataObject, seed: bytes, level: Level
) -> None:
    match, turns = turns_of(data, key)
    for turn in sampled(data, turns):
        move = robots.choose_quickly(match.game, turn.before, turn.seat, level, seed)
        assert match.game.allows(turn.before, turn.seat, move)
        exchanged = match.game.exchange(turn.before, turn.seat, seed)
        assert move == robots.choose_quickly(match.game, exchanged, turn.seat, level, seed)


@every_game
def test_each_game_has_the_levels_without_thinking(key: str) -> None:
    assert robots.levels(key)[:2] == robots.QUICK_LEVELS


def test_only_a_seat_chooses() -> None:
    game = GAMES["martian-whist"]
    robot = robots.find(game.key)
    assert robot
    view = game.view(game.setup(2, {}, Chance(bytes(32))), Eye.PUBLIC)
    with pytest.raises(TypeError):
        robot.think(view, 1, bytes(32))


def test_countless_moves_are_drawn_piece_by_piece() -> None:
    matches = (Match(GAMES["amazonian-buffet"], 2, {}, bytes([number] * 32)) for number in range(50))
    game, turn = next(
        (match.game, turn)
        for match in matches
        for turn in walk(match)
        if not match.game.view(turn.before, turn.seat).moves_are_all
    )
    drawn = {robots.any_move(game, turn.before, turn.seat, bytes([number] * 32)) for number in range(20)}
    assert len(drawn) > 15
    assert all(game.allows(turn.before, turn.seat, move) for move in drawn)
