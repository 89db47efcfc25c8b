"""What every drawing offers: one board as a picture, as text, in sentences, and what there is to say to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pbem.boards.prose import series
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Board: TypeAlias = "Mapping[str, Any]"
"""The drawable part of a View: plain data, no secrets."""
Entry: TypeAlias = "Mapping[str, Any]"
"""One entry of a View's log."""
Names: TypeAlias = "tuple[str, ...]"
"""What the seats' players are called, in seat order."""
Guide: TypeAlias = "tuple[tuple[str, tuple[str, ...]], ...]"
"""Headings, each with its lines."""


class Drawing(ABC):
    """Draws the boards of one game.

    No line that it writes may, taken alone, read as a move of the game: mails quote these lines back. A
    name comes from a person, so it is shortened, and escaped in pictures. `you` is the seat that looks.
    """

    key: ClassVar[str]
    """The game's key."""
    lines: ClassVar[tuple[str, ...]]
    """The lines of the crib, as they are written in English."""

    @property
    def crib(self) -> tuple[str, ...]:
        """Give at most five short lines that spare a look into the rules."""
        return tuple(map(_, self.lines))

    @abstractmethod
    def svg(self, board: Board, names: Names, you: int | None = None) -> str:
        """Draw a board as one complete `svg` element."""

    @abstractmethod
    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """Write a board as plain text, at most 60 columns wide, that can be read aloud."""

    @abstractmethod
    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Tell the position in sentences, one or more lines each; also what stands for the picture."""

    @abstractmethod
    def tell(self, entry: Entry, names: Names) -> str:
        """Tell one entry of the log: who did what, and what came of it."""

    @abstractmethod
    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Tell the seat to move what it must do now, with an example taken from its moves."""

    def points(self, board: Board) -> tuple[int, ...]:
        """Give each seat's points so far; none where they are counted only at the end."""
        points: int | Sequence[int] | None = board.get("scores") or board.get("totals") or board.get("score")
        return (points,) if isinstance(points, int) else tuple(points or ())

    # -- where choosing takes more than a look at the board -----------------------------------------

    def guide(self, board: Board, names: Names, you: int) -> Guide:  # noqa: ARG002
        """Sort out for the seat to move what its choice depends on, where the board alone does not show it well."""
        return ()

    def named(self, board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """Name suggested moves and say something of each; empty words where a move speaks for itself."""
        return (("", ""),) * len(moves)

    def grouped(self, pieces: Sequence[str]) -> Guide:
        """Part the pieces that may follow in a move under headings, where they are many."""
        return (("", tuple(pieces)),)

    def begun(self, chosen: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """Tell what the pieces of a move chosen so far make, where they do not show it themselves."""
        return ()

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell what a move of the seat that looks would bring, as far as its board shows; before it is played.

        Only what is not told once it is played, or cannot be told before.
        """
        return ()

    # -- answering questions --------------------------------------------------------------------------

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Tell the seat that looks what a place, a card or a pyramid is by its board; nothing for what is none."""
        return ()

    def held(self, board: Board, you: int) -> tuple[str, ...]:  # noqa: ARG002
        """Tell the seat that looks what it holds; nothing where no game of this kind has hands."""
        hand = board.get("hand")
        return (_("You hold {things}.", things=series([str(one) for one in hand])),) if hand else ()
