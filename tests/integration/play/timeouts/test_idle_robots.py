"""Matches against robots that were left lying: which of them end, when, and what their player is told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Deadline
from pbem.play.lifecycle import match_requests
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.timeouts import idle_robots
from pbem.play.timeouts.idle_robots import IDLE_DAYS
from pbem.robots import Level
from pbem.states import MatchState
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.robots import ANN

if TYPE_CHECKING:
    from tests.support.house import House

STRONG, FAIR = match_requests.robot(Level.STRONG), match_requests.robot(Level.FAIR)
BOB = Invitee("Bob", address("Bob"))


def start(house: House, *guests: Invitee, days: float = IDLE_DAYS) -> str:
    """Start a match in which nobody has moved for some days; return its id."""
    game = "martian-whist" if len(guests) == 2 else "martian-trickery"
    with house.transaction() as ctx:
        match_id = create_match(ctx, game, {}, [*guests], creator=1).id
    for guest in guests[1:]:
        if not guest.is_robot:
            house.reply(house.only(guest.name), "yes")
            house.judge(match_id)
    with house.transaction() as ctx:
        asked = update(Deadline).where(Deadline.match_id == match_id)
        ctx.session.execute(asked.values(asked_at=ctx.now - timedelta(days=days)))
    return match_id


def end_idle(house: House) -> None:
    with house.transaction() as ctx:
        while idle_robots.process_next(ctx):
            ctx.session.flush()


def test_a_match_left_lying_ends_and_its_player_is_told_once(house: House) -> None:
    match_id = start(house, ANN, STRONG)
    house.last("Ann")
    end_idle(house)
    end_idle(house)
    match = house.match(match_id)
    assert match.state == MatchState.OVER
    assert match.result
    assert (match.result["ending"], match.result["winners"]) == ("abandoned", [])
    assert "Nobody has moved for 90 days. You can play on from any of its steps." in house.only("Ann").flat


@pytest.mark.parametrize(
    ("guests", "days"),
    [
        pytest.param((ANN, STRONG), IDLE_DAYS - 1, id="not so long ago"),
        pytest.param((ANN, FAIR), IDLE_DAYS, id="robots that do not think"),
        pytest.param((ANN, BOB, STRONG), IDLE_DAYS, id="a friend at the table"),
        pytest.param((ANN, BOB), IDLE_DAYS, id="no robot"),
    ],
)
def test_other_matches_go_on(house: House, guests: tuple[Invitee, ...], days: float) -> None:
    match_id = start(house, *guests, days=days)
    end_idle(house)
    assert house.match(match_id).state == MatchState.RUNNING
