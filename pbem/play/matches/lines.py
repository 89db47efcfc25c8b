"""Lines: moves that a seat tries out one after another, and what has become of them in the match.

Nothing here changes anything. A line goes on only as far as its seat may know what is legal and what comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.games import IllegalMove, Move
from pbem.games.chance import SEED_BYTES
from pbem.games.record import effective_moves
from pbem.play.matches import previews
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Seat
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.matches.previews import Preview

_ANY_SEED = bytes(SEED_BYTES)


@dataclass(frozen=True, slots=True)
class Line:
    """Moves in order, each with its seat; `before` is the match before the last of them.

    `after` is the match as it would be, and `next_seat` whose move may be tried next; both are None where the last
    move draws or reveals something.
    """

    moves: tuple[tuple[Seat, Move], ...]
    before: LoadedMatch
    after: LoadedMatch | None
    next_seat: Seat | None

    @property
    def texts(self) -> list[str]:
        """The moves as the rules write them."""
        return [move for _seat, move in self.moves]


@dataclass(frozen=True, slots=True)
class Progress:
    """How many moves of a line were played since, and whether the rest may follow; `instead` is what was played."""

    played: int
    is_open: bool
    instead: tuple[Seat, Move] | None = None


def follow(course: LoadedMatch, seat: Seat, texts: Sequence[str]) -> Line:
    """Play moves in thought, as a seat may; raises GameError at one that is not legal, or not known to be."""
    moves: list[tuple[Seat, Move]] = []
    before, mover = course, next_seat(course, seat)
    after: LoadedMatch | None = course
    for text in texts:
        if after is None or mover is None:
            raise IllegalMove("Nobody can know what comes after this: it depends on what is hidden or drawn.")
        before, game = after, after.game
        move = game.read(before.position, mover, text)
        moves.append((mover, move))
        position = game.apply(before.position, mover, move, before.chance)
        has_ended = game.reveals(before.position, move, position)
        after = None if has_ended else replace(before, position=position)
        # Of seats that act together each chooses without knowing what the others do.
        is_alone = len(game.to_move(before.position)) == 1
        mover = next_seat(after, seat) if after is not None and is_alone else None
    return Line(tuple(moves), before, after, mover)


def next_seat(course: LoadedMatch, seat: Seat) -> Seat | None:
    """Return whose move a seat may try out now: its own or, if nothing is hidden from it, that of the seat to move."""
    to_move = course.game.to_move(course.position)
    if seat in to_move:
        return seat
    # The rules return the position itself where they have no secret to draw anew.
    is_open = course.game.exchange(course.position, seat, _ANY_SEED) is course.position
    return to_move[0] if is_open and len(to_move) == 1 else None


def preview(line: Line, seat: Seat, names: tuple[str, ...]) -> Preview:
    """Return what the last move of a line does, as a seat may know it."""
    mover, move = line.moves[-1]
    return previews.preview(line.before, mover, move, names, viewer=seat)


def at_step(course: LoadedMatch, step: int) -> LoadedMatch:
    """Return a match as it stood after some entries of its log."""
    position = course.positions[step - 1] if step else course.first_position
    return replace(course, position=position)


def compare(course: LoadedMatch, line: Line, step: int) -> Progress:
    """Compare a line from a step of a match with the moves that were played since."""
    base, standing = effective_moves(course.log[:step]), effective_moves(course.log)
    if standing[: len(base)] != base:
        # Moves before it were taken back.
        return Progress(0, is_open=False)
    played = 0
    for entry in standing[len(base) :]:
        if played == len(line.moves):
            break
        seat, move = line.moves[played]
        if entry.seat != seat:
            # It acts together with the seat, and its move may be hidden.
            continue
        if entry.move != move:
            return Progress(played, is_open=False, instead=(seat, Move(entry.move)))
        played += 1
    is_open = played < len(line.moves) and course.match.state == MatchState.RUNNING
    return Progress(played, is_open)
