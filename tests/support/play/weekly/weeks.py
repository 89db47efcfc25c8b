"""Weeks for tests: time passes, people take part, and matches are played to their end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import DealSet, Match, Player
from pbem.games import Seat
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.players import registry
from pbem.play.upkeep.event_steps import STEPS
from pbem.play.weekly import calendar, entries
from tests.support.clockwork import at
from tests.support.house import House, address

if TYPE_CHECKING:
    from datetime import datetime

NUMBER = 40
MONDAY = calendar.begin_of(NUMBER)
"""Begin of the week that tests are about."""
NEXT_MONDAY = calendar.end_of(NUMBER)


def run(house: House, moment: datetime) -> None:
    """Do all that is due for events at a moment, as the worker's task does."""
    with at(moment):
        for step in STEPS:
            more = True
            while more:
                with house.transaction() as ctx:
                    more = step(ctx)


def begin_week(house: House) -> None:
    """Move on to the begin of the week."""
    run(house, MONDAY - timedelta(days=3))
    run(house, MONDAY)


def known_player(house: House, name: str, email: str = "") -> int:
    """Return the id of somebody whose address is verified."""
    email = email or address(name)
    with house.transaction(MONDAY - timedelta(days=3)) as ctx:
        player = registry.get_or_create(ctx, {email: name})[email]
        registry.mark_verified(ctx, email)
        return player.id


def enter(house: House, name: str, moment: datetime = MONDAY, text: str = "", email: str = "") -> str:
    """Enter somebody into the week, and return the id of their match."""
    player = known_player(house, name, email)
    with at(moment), house.transaction() as ctx:
        return entries.enter(ctx, NUMBER, ctx.session.get_one(Player, player), text=text).id


def play(house: House, match_id: str, moment: datetime) -> int:
    """Play a match to its end by the first of its suggestions; return the points."""
    with at(moment), house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        while course.game.outcome(course.position) is None:
            suggested = course.game.suggest(course.position, Seat(1))
            course = play_move(ctx, course, Seat(1), suggested[0], moment)
        endings.finish(ctx, course)
        assert course.match.result is not None
        points: int = course.match.result["scores"]["1"]
        return points


def deal_set(house: House, number: int = NUMBER) -> DealSet:
    """Return the deal of a week."""
    found: DealSet = house.all(select(DealSet).where(DealSet.week == number))[0]
    return found


def robot_match(house: House, number: int = NUMBER) -> str:
    """Return the id of the match by which the robot sets the par."""
    of_week = select(Match.id).join(DealSet, DealSet.id == Match.set_id)
    found: str = house.all(of_week.where(DealSet.week == number, Match.set_place == 1))[0]
    return found
