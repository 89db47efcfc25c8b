"""Suggestions by number: `#1` in an answer to a mail is the first move that this mail suggested.

They are worked out again where the answer is judged: a position suggests the same moves whenever it is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.games import IllegalMove, typed
from pbem.play.submissions.queue import API

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Submission
    from pbem.games import Move, Seat
    from pbem.play.matches.match_state import Course

_NUMBER = re.compile(r"#\s?(\d{1,2})")


def reader(course: Course, seat: Seat, submission: Submission) -> Callable[[str], Move]:
    """Read lines as a seat's moves; where they answer a mail or page of this very stage, also its numbers."""
    if submission.via == API or submission.ply != course.match.ply:
        return lambda line: course.game.read(course.position, seat, line)
    return lambda line: read(course, seat, line)


def read(course: Course, seat: Seat, line: str) -> Move:
    """Read a line as a seat's move or as the number of one that its mail suggested; raises GameError."""
    number = _NUMBER.fullmatch(typed.fold(line[: typed.LONGEST]))
    if number is None or seat not in course.game.to_move(course.position):
        return course.game.read(course.position, seat, line)
    moves = course.game.suggest(course.position, seat)
    at = int(number[1])
    if not 0 < at <= len(moves):
        numbers = ", ".join(f"#{known}" for known in range(1, len(moves) + 1))
        raise IllegalMove("“#{number}” is none of the likely moves: these are {numbers}.", number=at, numbers=numbers)
    return moves[at - 1]
