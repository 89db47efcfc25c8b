"""Suggestions by number: `#1` is the first move that a mail suggested; the same position suggests the same moves."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pbem.games import IllegalMove, typed_text
from pbem.play.submissions.queue import API

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Submission
    from pbem.games import Move, Seat
    from pbem.play.matches.match_state import LoadedMatch

_NUMBER = re.compile(r"#\s?(\d{1,2})")


def move_parser(course: LoadedMatch, seat: Seat, submission: Submission) -> Callable[[str], Move]:
    """Return a parser of a seat's moves; for a reply to a mail or page of the current stage it accepts numbers too."""
    if submission.via == API or submission.ply != course.match.ply:
        return partial(course.game.read, course.position, seat)
    return partial(parse_move, course, seat)


def parse_move(course: LoadedMatch, seat: Seat, line: str) -> Move:
    """Parse a line as a seat's move, or as the number of a move that its mail suggested; raises GameError."""
    number = _NUMBER.fullmatch(typed_text.fold(line[: typed_text.MAX_LENGTH]))
    if number is None or seat not in course.game.to_move(course.position):
        return course.game.read(course.position, seat, line)
    moves = course.game.suggest(course.position, seat)
    index = int(number[1])
    if not 0 < index <= len(moves):
        numbers = ", ".join(f"#{known}" for known in range(1, len(moves) + 1))
        raise IllegalMove("“#{number}” is not a suggested move. These are: {numbers}.", number=index, numbers=numbers)
    return moves[index - 1]
