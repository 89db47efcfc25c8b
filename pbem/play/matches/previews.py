"""Previews of moves: what a move would do, and the pieces that it can be composed of.

Nothing here changes anything. What a move would draw from chance or uncover is not shown before it is played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from pbem.games import Eye, typed_text
from pbem.games.game import END_OF_MOVE
from pbem.play.matches.views import render_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Game, Move, Outcome, Seat
    from pbem.play.matches.match_state import LoadedMatch

_SEPARATORS = " ,;:/-"
"""Separators between two typed pieces."""

_CONNECTORS = ("on ", "@", ">")
"""Connectors between a piece and its destination: with them it is another piece than without."""


class Playable(Protocol):
    """A position with its rules: a match, or a step of a lesson."""

    @property
    def game(self) -> Game[Any]:
        """The rules."""

    @property
    def position(self) -> Any:
        """The position by these rules."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a move would do: the seat's View after it and the new log entries, if they may be known."""

    move: Move
    view: dict[str, Any] | None
    news: tuple[dict[str, Any], ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class PartialMove:
    """A partial move: the pieces chosen, and those that may follow; none when it is complete."""

    chosen: tuple[str, ...]
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        """The pieces chosen so far, as the rules read them."""
        return " ".join(piece for piece in self.chosen if piece != END_OF_MOVE)

    @property
    def complete(self) -> bool:
        """Whether the pieces chosen are a move."""
        return bool(self.chosen) and (not self.pieces or self.chosen[-1] == END_OF_MOVE)


def preview(course: LoadedMatch, seat: Seat, text: str, names: tuple[str, ...], viewer: Seat | None = None) -> Preview:
    """Parse a typed move and return what it would do; raise GameError if it is not legal.

    `viewer` is the seat that sees it, if not the one that moves.
    """
    viewer = viewer or seat
    move = course.game.read(course.position, seat, text)
    after = course.game.apply(course.position, seat, move, course.chance)
    if course.game.reveals(course.position, move, after):
        return Preview(move, None, (), None)
    view = render_view(replace(course, position=after), viewer, names)
    news = _new_entries(course.game.view(course.position, viewer).log, view["log"])
    return Preview(move, view, news, course.game.outcome(after))


def needs_preview(course: LoadedMatch, seat: Seat, move: Move) -> bool:
    """Return whether a legal move should be previewed before it is played.

    Such a move ends the game, draws or reveals something, which no takeback undoes, or commits something hidden.
    """
    game, position = course.game, course.position
    after = game.apply(position, seat, move, course.chance)
    is_final = game.outcome(after) is not None or game.reveals(position, move, after)
    return is_final or len(game.to_move(position)) > 1 or _hides_something(course, seat, after)


def _hides_something(course: LoadedMatch, seat: Seat, after: Any) -> bool:
    """Return whether the move that led to a position is logged otherwise for its own seat than for spectators."""
    own, public = (
        _new_entries(course.game.log(course.position, viewer), course.game.log(after, viewer))
        for viewer in (seat, Eye.PUBLIC)
    )
    return own != public


def follow_pieces(course: Playable, seat: Seat, wanted: Sequence[str]) -> PartialMove:
    """Follow the chosen pieces as far as they are valid, and return them with those that may follow."""
    chosen: tuple[str, ...] = ()
    for piece in wanted:
        if END_OF_MOVE in chosen or piece not in course.game.steps(course.position, seat, chosen):
            break
        chosen = (*chosen, piece)
    pieces = () if END_OF_MOVE in chosen else course.game.steps(course.position, seat, chosen)
    return PartialMove(chosen, pieces)


@dataclass(frozen=True, slots=True)
class MoveStart:
    """The beginning of a move in a refused text, `text` as the rules write it, and the rest of the text."""

    choosing: PartialMove
    rest: str
    text: str


def parse_move_start(course: LoadedMatch, seat: Seat, text: str) -> MoveStart | None:
    """Match a text that is no move piece by piece; None if it does not begin with a piece of one.

    What was left out, such as the one card that must be sown, is filled in where the rules can.
    """
    text = text[: typed_text.MAX_LENGTH]
    typed_line = typed_text.fold(text, course.game.arrow)
    lines = dict.fromkeys((typed_line, course.game.meant(course.position, seat, text)))
    ways = [way for line in lines if (way := _parse_pieces(course, seat, line.casefold()))]
    if not ways:
        return None
    chosen, rest = max(ways, key=lambda way: len(way[0]))
    choosing = PartialMove(chosen, course.game.steps(course.position, seat, chosen))
    return MoveStart(choosing, rest, format_pieces(course, seat, chosen))


def format_pieces(course: LoadedMatch, seat: Seat, chosen: tuple[str, ...]) -> str:
    """Format chosen pieces as the rules write them, if that text has the same pieces."""
    plain = PartialMove(chosen, ()).text
    canonical = course.game.meant(course.position, seat, plain)
    same = tuple(piece for piece in chosen if piece != END_OF_MOVE)
    followed = _parse_pieces(course, seat, canonical.casefold(), complete=True)
    return canonical if followed and followed == (same, "") else plain


def _parse_pieces(
    course: LoadedMatch, seat: Seat, line: str, *, complete: bool = False
) -> tuple[tuple[str, ...], str] | None:
    """Match the pieces of a line; None if it begins with none or, with `complete`, if the pieces are no whole move."""
    chosen: tuple[str, ...] = ()
    pieces = course.game.steps(course.position, seat, ())
    if not any(_rest_after(piece, line) is not None for piece in pieces):
        # The first word may name the kind of move, such as “lead” or “hands”.
        line = line.partition(" ")[2]
    while pieces:
        following = [(rest, piece) for piece in pieces if (rest := _rest_after(piece, line)) is not None]
        if not following:
            break
        line, piece = min(following, key=lambda found: len(found[0]))
        chosen = (*chosen, piece)
        pieces = course.game.steps(course.position, seat, chosen)
    return (chosen, line) if chosen and (pieces or complete) else None


def _rest_after(piece: str, line: str) -> str | None:
    """Return the rest of a line after a piece, or None if the line does not begin with that piece."""
    if piece == END_OF_MOVE or not line.startswith(piece.casefold()):
        return None
    rest = line[len(piece) :]
    if rest[:1].isalnum() or rest.lstrip().startswith(_CONNECTORS):
        return None
    return rest.lstrip(_SEPARATORS)


def _new_entries(before: Sequence[Any], after: Sequence[Any]) -> tuple[Any, ...]:
    """Return the new entries of a log; sealed moves stand in seat order, so they need not be at the end."""
    first = next((at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    return tuple(after[first : first + len(after) - len(before)])
