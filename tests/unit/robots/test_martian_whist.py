"""The robot of Martian Whist: its quick way to play on comes to what the rules come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import robots
from pbem.games import Chance, Stream
from pbem.robots.robot import Robot
from tests.support.examples import examples
from tests.support.games.laws import sampled, turns_of

if TYPE_CHECKING:
    from typing import Any


@settings(max_examples=examples(30), deadline=None)
@given(data=st.data(), seed=st.binary(min_size=32, max_size=32))
def test_playing_on_without_positions_is_playing_on_by_the_rules(data: st.DataObject, seed: bytes) -> None:
    robot: Robot[Any, Any] | None = robots.find("martian-whist")
    assert robot
    _, turns = turns_of(data, "martian-whist")
    for position in [turns[0].before, turns[-1].after, *(turn.before for turn in sampled(data, turns))]:
        quick = robot.play_on(position, position, Stream(seed, "play"), Chance(bytes(32)))
        assert quick == Robot.play_on(robot, position, position, Stream(seed, "play"), Chance(bytes(32)))
