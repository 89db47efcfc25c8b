"""What every drawing offers: one board as a picture, as text, in sentences, and what there is to say to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Board: TypeAlias = "Mapping[str, Any]"
"""The drawable part of a View: plain data, no secrets."""
Entry: TypeAlias = "Mapping[str, Any]"
"""One entry of a View's log."""
Names: TypeAlias = "tuple[str, ...]"
"""What the seats' players are called, in seat order."""


class Drawing(ABC):
    """Draws the boards of one game.

    No line that it writes may, taken alone, read as a move of the game: mails quote these lines back. A
    name comes from a person, so it is shortened, and escaped in pictures. `you` is the seat that looks.
    """

    key: ClassVar[str]
    """The game's key."""
    crib: ClassVar[tuple[str, ...]]
    """At most five short lines that spare a look into the rules."""

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
