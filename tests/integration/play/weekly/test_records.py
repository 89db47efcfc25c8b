"""The records of a week can be checked by anybody, whether their players came before the deal or after it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pbem.db.models import Match, Player
from pbem.games import find
from pbem.games.record import parse_record
from pbem.games.verify import UnsoundError, verify
from pbem.play.archive import records
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.weekly import entries, weeks
from tests.support.clockwork import at
from tests.support.house import address
from tests.support.play.weekly.weeks import (
    MONDAY,
    NEXT_MONDAY,
    NUMBER,
    begin_week,
    enter,
    known_player,
    play,
    robot_match,
    run,
)

if TYPE_CHECKING:
    from tests.support.house import House

DAY = timedelta(days=1)


def for_fun(house: House) -> str:
    player = known_player(house, "Bob")
    with at(NEXT_MONDAY), house.transaction() as ctx:
        week = weeks.find(ctx, NUMBER)
        assert week is not None
        bob = ctx.session.get_one(Player, player)
        return entries.play_for_fun(ctx, week, Invitee("Bob", address("Bob")), bob).id


@pytest.mark.parametrize("who", ["early", "late", "robot", "for fun"])
def test_the_record_of_a_match_of_the_week_is_verified(house: House, who: str) -> None:
    run(house, MONDAY - DAY)
    matches = {"early": enter(house, "Ann", MONDAY - DAY, text="a text"), "robot": robot_match(house)}
    begin_week(house)
    matches["late"] = enter(house, "Cyd")
    for match in matches.values():
        play(house, match, MONDAY + DAY)
    run(house, NEXT_MONDAY)
    matches["for fun"] = for_fun(house)
    play(house, matches["for fun"], NEXT_MONDAY + DAY)
    with house.transaction() as ctx:
        data = records.build_record(ctx, ctx.session.get_one(Match, matches[who])).data()
    shared: Any = data["set"]
    assert shared["place"] == {"robot": 1, "early": 2, "late": 3, "for fun": 4}[who]
    assert list(verify(parse_record(data), find))
    shared["entropies"][0] = "0" * 32
    with pytest.raises(UnsoundError):
        list(verify(parse_record(data), find))
