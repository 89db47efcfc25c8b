"""Automatic moves: those that the service plays for a seat, under the lock of its match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import Seat
from pbem.play import deadlines, endings, matches
from pbem.play.history import course_of, play_move

if TYPE_CHECKING:
    from pbem.db.models import Holder, Match
    from pbem.games import Move
    from pbem.play.history import Course
    from pbem.play.table import Table


def play(table: Table, match: Match) -> bool:
    """Play for all seats whose moment has come, one after another, until a person has to act; tell whether any did.

    The deadlines follow; whoever must act now is yet to be told. A match that this ends is closed.
    """
    played = False
    while match.state == "running" and (move := _next(table, match)):
        course, holder = move
        chosen = choose(course, holder)
        if chosen is None:
            _leave_it_to_them(table, match, holder)
            continue
        course = play_move(table, course, Seat(holder.seat), chosen, table.now)
        played = True
        if course.game.outcome(course.position) is not None:
            endings.finish(table, course)
        else:
            deadlines.ask(table, match)
    return played


def choose(course: Course, holder: Holder) -> Move | None:
    """Choose the move that the service plays for a seat; None where it is for a person to choose."""
    if holder.player.bot:
        return course.game.suggest(course.position, Seat(holder.seat))[0]
    return None


def _next(table: Table, match: Match) -> tuple[Course, Holder] | None:
    """Find the first seat whose moment to play has come."""
    due = [row.seat for row in deadlines.of_match(table, match) if row.play_at and row.play_at <= table.now]
    if not due:
        return None
    holder = next(one for one in matches.holders(table, match) if one.seat == due[0])
    return course_of(table, match), holder


def _leave_it_to_them(table: Table, match: Match, holder: Holder) -> None:
    for row in deadlines.of_match(table, match):
        if row.seat == holder.seat:
            row.play_at = None
            deadlines.set_next_act(holder, row)
    table.session.flush()
