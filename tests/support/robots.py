"""Matches with robots that think, in the process of the test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from emails.parsing.reader import parse_mail
from pbem.games import Seat
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.upkeep import deadline_tasks
from pbem.states import MatchState
from tests.support.house import address
from workers.thinker import answer
from workers.thinking import Thinking

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House

ANN = Invitee("Ann", address("Ann"))


def thinking_here(house: House) -> Thinking:
    """Return what has the robots' thoughts, without the process of their own."""
    return Thinking(house.engine, house.config, lambda request: as_sent(answer(as_sent(request))))


def as_sent(data: dict[str, Any]) -> dict[str, Any]:
    """Return data as it arrives through a pipe."""
    sent: dict[str, Any] = json.loads(json.dumps(data))
    return sent


def run_clock(house: House, match_id: str, now: datetime | None = None) -> None:
    """Do what is due at a match."""
    with house.transaction(now) as ctx:
        deadline_tasks.run_match(ctx, match_id, parse_mail)


def play_on(house: House, match_id: str, thinking: Thinking, seat: int = 1) -> None:
    """Play a match to its end: at one seat the last legal move, and robots at the others."""
    while house.match(match_id).state == MatchState.RUNNING:
        if seat in house.match(match_id).to_move:
            with house.transaction() as ctx:
                course = load_match(ctx, lock_match(ctx, match_id))
                *_, move = course.game.moves(course.position, Seat(seat))
                course = play_move(ctx, course, Seat(seat), move, ctx.now)
                turn_deadlines.sync(ctx, course.match)
                if course.game.outcome(course.position):
                    endings.finish(ctx, course)
        thinking()
        run_clock(house, match_id)
