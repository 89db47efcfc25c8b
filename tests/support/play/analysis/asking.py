"""Analyses of finished matches, in the process of the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem.db.models import Analysis, Match, SeatHolder
from pbem.games import Seat
from pbem.play.analysis import requests
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.robots.analyses import PAR
from tests.support.robots import thinking_here

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House

SHORT: dict[str, dict[str, object]] = {"minimax": {"size": "small"}, "martian-whist": {"sets": 2}}
"""Options of short matches."""


def finished(house: House, game: str = "minimax", seats: int = 1, **more: Any) -> str:
    """Play a match of people to its end, each with the first legal move; return its ID."""
    match_id = house.start_match(game, seats, SHORT.get(game, {}), **more)
    play_to_the_end(house, match_id)
    return match_id


def play_to_the_end(house: House, match_id: str) -> None:
    """Play the first legal moves of a match until it is over."""
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        while course.match.to_move:
            seat = Seat(course.match.to_move[0])
            move = next(course.game.moves(course.position, seat))
            course = play_move(ctx, course, seat, move, ctx.now)
        endings.finish(ctx, course)


def player(house: House, match_id: str, seat: int = 1) -> int:
    """Return the ID of the player in a seat."""
    found: int = house.all(
        select(SeatHolder.player_id).where(SeatHolder.match_id == match_id, SeatHolder.seat == seat)
    )[0]
    return found


def ask(house: House, match_id: str, who: int, kind: str = PAR, now: datetime | None = None) -> Analysis:
    """Ask for an analysis of a match."""
    with house.transaction(now) as ctx:
        return requests.ask(ctx, ctx.session.get_one(Match, match_id), kind, who)


def analyses(house: House) -> list[Analysis]:
    return house.all(select(Analysis).order_by(Analysis.asked_at))


def make_all(house: House) -> None:
    """Make all analyses that wait, also those that a worker has claimed and lost."""
    thinking = thinking_here(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(Analysis).values(claimed_at=None))
    while house.all(select(Analysis.kind).where(Analysis.done_at.is_(None))):
        thinking()
