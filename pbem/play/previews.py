"""Looking before moving: what a move would do, and the pieces it may be put together from.

Nothing here changes anything. What a move would draw from chance or uncover is not told before it is played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.games import typed
from pbem.play.views import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Move, Outcome, Seat
    from pbem.play.history import Course

_BETWEEN = " ,;:/-"
"""What may stand between two pieces that are typed."""

DONE = "."
"""The piece that says: the move is complete, though it could go on."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do: the seat's View after it and what there would be to tell, where that may be known."""

    move: Move
    view: dict[str, Any] | None
    news: tuple[dict[str, Any], ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Choosing:
    """A move being put together: the pieces chosen, and those that may follow; none when it is complete."""

    chosen: tuple[str, ...]
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        """What has been put together so far, as the rules read it."""
        return " ".join(piece for piece in self.chosen if piece != DONE)

    @property
    def complete(self) -> bool:
        """Whether the pieces chosen are a move."""
        return bool(self.chosen) and (not self.pieces or self.chosen[-1] == DONE)


def preview(course: Course, seat: Seat, text: str, names: tuple[str, ...]) -> Preview:
    """Read what a seat typed and look at what it would do; raises GameError for what is no legal move."""
    move = course.game.read(course.position, seat, text)
    after = course.game.apply(course.position, seat, move, course.chance)
    if course.game.reveals(course.position, move, after):
        return Preview(move, None, (), None)
    view = shown(replace(course, position=after), seat, names)
    news = _added(course.game.view(course.position, seat).log, view["log"])
    return Preview(move, view, news, course.game.outcome(after))


def choosing(course: Course, seat: Seat, wanted: Sequence[str]) -> Choosing:
    """Follow the pieces that somebody has chosen as far as they can be, and offer those that may follow."""
    chosen: tuple[str, ...] = ()
    for piece in wanted:
        if DONE in chosen or piece not in course.game.steps(course.position, seat, chosen):
            break
        chosen = (*chosen, piece)
    pieces = () if DONE in chosen else course.game.steps(course.position, seat, chosen)
    return Choosing(chosen, pieces)


@dataclass(frozen=True, slots=True)
class Start:
    """A refused text as the beginning of a move: its pieces that may be chosen, and what it says besides."""

    choosing: Choosing
    rest: str


def start(course: Course, seat: Seat, text: str) -> Start | None:
    """Follow a text that is no move piece by piece; None where it does not begin with a piece of one."""
    line = typed.fold(text[: typed.LONGEST], course.game.arrow).casefold()
    chosen: tuple[str, ...] = ()
    pieces = course.game.steps(course.position, seat, ())
    if not any(_behind(piece, line) is not None for piece in pieces):
        # A word in front that is no piece, such as “lead” or “hands”, says what kind of move it is.
        line = line.partition(" ")[2]
    while pieces:
        following = [(rest, piece) for piece in pieces if (rest := _behind(piece, line)) is not None]
        if not following:
            break
        line, piece = min(following, key=lambda found: len(found[0]))
        chosen = (*chosen, piece)
        pieces = course.game.steps(course.position, seat, chosen)
    return Start(Choosing(chosen, pieces), line) if chosen and pieces else None


def _behind(piece: str, line: str) -> str | None:
    """Give what stands in a line behind a piece that it begins with; None where it begins with another."""
    if piece == DONE or not line.startswith(piece.casefold()):
        return None
    rest = line[len(piece) :]
    return None if rest[:1].isalnum() else rest.lstrip(_BETWEEN)


def _added(before: Sequence[Any], after: Sequence[Any]) -> tuple[Any, ...]:
    """Give what a log has more than before; sealed moves stand in seat order, so that it need not be at the end."""
    first = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    return tuple(after[first : first + len(after) - len(before)])
