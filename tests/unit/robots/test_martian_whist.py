"""The robot of Martian Whist: its quick way to play on comes to what the rules come to."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import robots
from pbem.games import Chance, Stream
from pbem.robots import SearchingRobot
from tests.support.examples import examples
from tests.support.games.laws import sampled, turns_of


@settings(max_examples=examples(30), deadline=None)
@given(data=st.data(), seed=st.binary(min_size=32, max_size=32))
def test_playing_on_without_positions_is_playing_on_by_the_rules(data: st.DataObject, seed: bytes) -> None:
    robot = robots.find("martian-whist")
    assert isinstance(robot, SearchingRobot)
    _, turns = turns_of(data, "martian-whist")
    for position in [turns[0].before, turns[-1].after, *(turn.before for turn in sampled(data, turns))]:
        quick = robot.play_on(position, position, Stream(seed, "play"), Chance(bytes(32)))
        assert quick == SearchingRobot.play_on(robot, position, position, Stream(seed, "play"), Chance(bytes(32)))
