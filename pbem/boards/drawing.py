"""Base class of drawings: a board as a picture, as text and in sentences, with help and answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from pbem.boards.prose import COLUMNS, series, unglued, wrap_sentences
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Board: TypeAlias = "Mapping[str, Any]"
"""Drawable part of a View: plain data, no secrets."""
Entry: TypeAlias = "Mapping[str, Any]"
"""One entry of a View's log."""
Names: TypeAlias = "tuple[str, ...]"
"""Names of the seats' players, in seat order."""
Chosen: TypeAlias = "tuple[str, ...]"
"""Pieces of a move that are chosen so far."""
Touches: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""Pieces of a move, each with the places of the picture that choose it."""
Guide: TypeAlias = "tuple[tuple[str, tuple[str, ...]], ...]"
"""Headings, each with its lines."""


class Turn(NamedTuple):
    """What a View knows beside its board: the seats to move, and the log of what led here."""

    to_move: Sequence[int] = ()
    log: Sequence[Entry] = ()

    @classmethod
    def of_view(cls, view: Mapping[str, Any]) -> Turn:
        """Return the turn of a View in the form of the API."""
        return cls(view["to_move"], view["log"])


NO_TURN = Turn()
"""Turn of a board on its own, such as an example of the rules: nobody is to move, and nothing was played."""


class Prompt(NamedTuple):
    """What asks the seat to move for its move: sentences, and an example taken from its moves, if there is one."""

    ask: Sequence[str]
    example: str = ""

    @property
    def text(self) -> str:
        """Write each sentence and the example on lines of their own."""
        return wrap_sentences([*self.ask, self.example], COLUMNS)


class Drawing(ABC):
    """Drawing of the boards of one game.

    No line that it writes may read as a move of the game when taken alone, because mails quote these lines back. A
    name comes from a person, so it is shortened, and escaped in pictures. `you` is the viewer's seat.
    """

    key: ClassVar[str]
    """Key of the game."""
    lines: ClassVar[tuple[str, ...]]
    """Lines of the crib, in English."""

    @property
    def crib(self) -> tuple[str, ...]:
        """Return at most five short lines that save a look into the rules."""
        return tuple(map(_, self.lines))

    @abstractmethod
    def svg(
        self, board: Board, names: Names, you: int | None = None, turn: Turn = NO_TURN, *, described: bool = True
    ) -> str:
        """Draw a board as one complete `svg` element, with its description unless only its image is wanted.

        Frames in the accent colour are where the next move is made: around the players to move, and around the places
        of their move. Brackets mark the last move. Who the viewer is, and who has won, is said by words.
        """

    @abstractmethod
    def text(self, board: Board, names: Names, you: int | None = None) -> str:
        """Write a board as plain text, at most 60 columns wide, that can be read aloud."""

    @abstractmethod
    def words(self, board: Board, names: Names, you: int | None = None) -> str:
        """Describe the position in sentences, one or more lines each; also the text alternative of the picture."""

    @abstractmethod
    def tell(self, entry: Entry, names: Names) -> str:
        """Describe one entry of the log: who did what, and what came of it."""

    @abstractmethod
    def prompt(self, board: Board, you: int, moves: Sequence[str]) -> Prompt:
        """Ask the seat to move for what it must do now, with an example taken from its moves."""

    def last_entries(self, turn: Turn) -> Sequence[Entry]:
        """Return the entries of the log that make the last move; empty before the first one."""
        return turn.log[-1:]

    def description(self, board: Board, names: Names, you: int | None, turn: Turn) -> str:
        """Describe what a picture shows: the position, and the last move that is marked."""
        told = [_("Last move: {told}", told=self.tell(entry, names)) for entry in self.last_entries(turn)]
        return "\n".join([self.words(board, names, you), *told])

    def points(self, board: Board) -> tuple[int, ...]:
        """Return each seat's points so far; empty if they are counted only at the end."""
        points: int | Sequence[int] | None = board.get("scores") or board.get("totals") or board.get("score")
        return (points,) if isinstance(points, int) else tuple(points or ())

    # -- help with choosing a move ------------------------------------------------------------------

    def guide(self, board: Board, names: Names, you: int) -> Guide:  # noqa: ARG002
        """Return what the choice of the seat to move depends on, where the board alone does not show it well."""
        return ()

    def named(self, board: Board, you: int, moves: Sequence[str]) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """Return a name and a hint for each suggested move; empty strings where a move needs no explanation."""
        return (("", ""),) * len(moves)

    def grouped(self, pieces: Sequence[str]) -> Guide:
        """Group the pieces that may follow in a move under headings, where there are many."""
        return (("", tuple(pieces)),)

    def begun(self, chosen: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what the pieces of a move chosen so far make, where they do not show it themselves."""
        return ()

    def task(self, board: Board, you: int, moves: Sequence[str]) -> str:
        """Return what the seat to move does now, for a page that has the picture to touch."""
        return unglued(" ".join(self.prompt(board, you, moves).ask))

    def reasons(self, board: Board, names: Names, you: int, moves: Sequence[str]) -> tuple[str, ...]:
        """Return for each suggested move why it may be good; empty where nothing can be said."""
        return tuple(next(iter(self.brings(board, names, you, move)), "") for move in moves)

    def pictured(self, board: Board, piece: str) -> tuple[str, ...]:  # noqa: ARG002
        """Return the pyramids that a piece of a move is about, where its text does not name them."""
        return ()

    def goal(self, board: Board) -> str:  # noqa: ARG002
        """Return what wins the match, and what a good result is."""
        return ""

    @property
    def legend(self) -> tuple[str, ...]:
        """Return what the letters and digits on pieces and in moves stand for."""
        return ()

    # -- choosing on the picture --------------------------------------------------------------------

    def touches(self, board: Board, you: int, chosen: Chosen, pieces: Sequence[str]) -> Touches:  # noqa: ARG002
        """Return the places to touch on the picture, in order, for each piece that may follow and is on it."""
        return {}

    def resting(self, board: Board, you: int, chosen: Chosen) -> dict[str, int]:  # noqa: ARG002
        """Return the places where chosen pieces are now, each with the number of its piece, from 0."""
        return {}

    def without(self, chosen: Chosen, number: int) -> Chosen:
        """Return the chosen pieces without one of them, and without those that depend on it."""
        return chosen[:number]

    def during(self, board: Board, you: int, chosen: Chosen) -> Board:  # noqa: ARG002
        """Return a board in the middle of a move, as it is drawn while the rest is chosen."""
        return board

    def brings(self, board: Board, names: Names, you: int, move: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what a move of the viewer would bring, as far as its board shows, before it is played.

        Leaves out what is described once the move is played, and what cannot be known before.
        """
        return ()

    # -- answering questions --------------------------------------------------------------------------

    def what(self, board: Board, names: Names, you: int, place: str) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what a place, a card or a pyramid is by the viewer's board; empty for anything else."""
        return ()

    def held(self, board: Board, you: int) -> tuple[str, ...]:  # noqa: ARG002
        """Describe what the viewer holds; empty in a game without hands."""
        hand = board.get("hand")
        return (_("You hold {things}.", things=series([str(one) for one in hand])),) if hand else ()
