"""The wheel of the week is played once: no sowing is taken back before its end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.support.clockwork import at
from tests.support.play.weekly.weeks import MONDAY, NEXT_MONDAY, begin_week, enter, run

if TYPE_CHECKING:
    from tests.support.house import House

MINUTE = timedelta(minutes=1)


def test_a_sowing_stands_until_the_week_is_over(house: House) -> None:
    begin_week(house)
    match = enter(house, "Ann")
    with at(MONDAY + MINUTE):
        house.reply(house.last("Ann"), "#1")
        house.reply(house.last("Ann"), "take back")
        assert "In the Minimax of the week no sowing can be taken back." in house.last("Ann").flat
    assert house.match(match).next_ply == 2
    run(house, NEXT_MONDAY)
    with at(NEXT_MONDAY + MINUTE):
        house.reply(house.last("Ann"), "take back")
    assert house.match(match).log_length == 2
