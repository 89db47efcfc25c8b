"""The engine contract: what every game implements.

A game is a stateless object; its positions are values. Nothing here knows a clock, a file or a network, and all
chance is passed in. `docs/develop/new-game.md` explains how to write one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NewType, TypeAlias, TypeVar

from pbem.games import nearness, typed_text
from pbem.games.errors import GameError, IllegalMove, OptionError, Phrase
from pbem.games.foresight import Foresight
from pbem.games.hidden import Eye, Seat, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.games.chance import Chance

P = TypeVar("P")

Move = NewType("Move", str)
"""One line of canonical text, as the rulebook writes it."""

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"
"""Plain data, of which boards and logs are made."""

END_OF_MOVE = "."
"""Piece that means “done” where a move could go on."""

MAX_MOVES_SHOWN = 200
"""Maximum number of moves that a View lists."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a match by the rules; `scores[0]` is seat 1's, `winners` is in ascending order."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know of a position; nothing else of it is shown to anyone.

    `moves` are the viewer's own legal ones, at most 200, in the order of `Game.moves`; `board` and `log` are plain
    data without secrets.
    """

    game: str
    viewer: Viewer
    to_move: tuple[Seat, ...]
    moves: tuple[Move, ...]
    moves_are_all: bool
    outcome: Outcome | None
    board: dict[str, Any]
    log: list[Any]


class Game(ABC, Generic[P]):
    """Set of rules over frozen positions of type P.

    A subclass defines the class attributes and the abstract methods, and overrides the others where its rulebook
    requires more.
    """

    key: ClassVar[str]
    """Key of the rulebook, lower case with hyphens."""
    name: ClassVar[str]
    seats: ClassVar[range]
    """Numbers of seats that a match may have."""
    edition: ClassVar[int] = 1
    """Incremented whenever a change of the rules would replay an old match differently."""
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {}
    """Allowed values of every option, the default first."""
    arrow: ClassVar[str] = "-"
    """What a typed arrow stands for in this game's moves."""
    has_open_deal: ClassVar[bool] = False
    """Whether every seat sees all that is dealt at first; then two players can play one deal there and back."""
    foresight: ClassVar[Foresight] = Foresight()
    """Conditions and policies of its players; a game of few words keeps this one."""

    # -- setup ---------------------------------------------------------------------------------------

    def settle(self, seats: int, options: Mapping[str, object]) -> Mapping[str, object]:
        """Complete the chosen options with the defaults, or raise OptionError with what is allowed."""
        if type(seats) is not int or seats not in self.seats:
            raise OptionError("{game} is for {seats}.", game=self.name, seats=_seats_phrase(self.seats))
        for name, value in options.items():
            if name not in self.options:
                known = tuple(self.options) or Phrase("none")
                raise OptionError(
                    "{game} has no option “{name}”. Its options: {known}.", game=self.name, name=name, known=known
                )
            values = self.options[name]
            if not any(type(value) is type(allowed) and value == allowed for allowed in values):
                raise OptionError(
                    "Option “{name}” cannot be “{value}”. Choose one of: {values}.",
                    name=name,
                    values=values,
                    value=value,
                )
        return {name: options.get(name, values[0]) for name, values in self.options.items()}

    @abstractmethod
    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> P:
        """Return the first position; settles the options itself."""

    # -- whose turn ----------------------------------------------------------------------------------

    @abstractmethod
    def to_move(self, position: P) -> tuple[Seat, ...]:
        """Return the seats that may act: none when it is over, several when they act together, sealed."""

    @abstractmethod
    def stage(self, position: P) -> int:
        """Return the number of the current stage: completed stages plus one, also when it is over."""

    # -- moves ---------------------------------------------------------------------------------------

    @abstractmethod
    def moves(self, position: P, seat: Seat) -> Iterator[Move]:
        """Yield every legal move of a seat lazily, each once; nothing for a seat not to move."""

    def allows(self, position: P, seat: Seat, move: Move) -> bool:
        """Return whether a canonical move is legal; overridden where the moves are countless."""
        return any(move == legal for legal in self.moves(position, seat))

    def steps(self, position: P, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Return the pieces that may follow those chosen; () means that the move is complete.

        The piece `.` means "done" where going on is possible too. A game whose moves are one piece each keeps this
        method.
        """
        return () if chosen else tuple(self.moves(position, seat))

    def read(self, position: P, seat: Seat, text: str) -> Move:
        """Parse what a person typed into a legal move in canonical text.

        Raises InvalidMove if the text has the form of no move of this phase, and IllegalMove, with the reason, if it
        has but may not be played now.
        """
        if seat not in self.to_move(position):
            over = self.outcome(position) is not None
            raise IllegalMove("The match is over.") if over else IllegalMove("It is not your turn.")
        return typed_text.parse_line(
            text, self.arrow, lambda line: self.legal(position, seat, self.parse(position, seat, line))
        )

    def legal(self, position: P, seat: Seat, move: Move) -> Move:
        """Return the move if it is legal, or raise IllegalMove with the reason."""
        if self.allows(position, seat, move):
            return move
        if seat not in self.to_move(position):
            raise IllegalMove("The match is over.") if self.outcome(position) else IllegalMove("It is not your turn.")
        raise self.objection(position, seat, move)

    @abstractmethod
    def parse(self, position: P, seat: Seat, line: str) -> Move:
        """Convert a folded line of a seat to move to canonical text, legal or not.

        Raises InvalidMove if it has the form of no move of this phase, IllegalMove if it cannot even be written as
        one because of the position.
        """

    def objection(self, position: P, seat: Seat, move: Move) -> IllegalMove:  # noqa: ARG002
        """Return why a move is illegal, in a sentence for its mover; called only if it is."""
        return IllegalMove("You cannot play “{move}” now.", move=move)

    def nearest(self, position: P, seat: Seat, text: str) -> tuple[Move, ...]:
        """Return the legal moves, at most three, that a rejected text may have meant, the likeliest first.

        It uses what the seat itself knows; overridden where the moves are countless.
        """
        if seat not in self.to_move(position):
            return ()
        return nearness.closest(
            self.meant(position, seat, text), islice(self.moves(position, seat), nearness.MAX_COMPARED)
        )

    def meant(self, position: P, seat: Seat, text: str) -> str:
        """Convert a text of a seat to move to canonical form if it has one, legal or not; else fold it."""
        try:
            return typed_text.parse_line(text, self.arrow, lambda line: self.parse(position, seat, line))
        except GameError:
            return typed_text.fold(text[: typed_text.MAX_LENGTH], self.arrow)

    def ahead(self, position: P, seat: Seat, text: str) -> Move | None:  # noqa: ARG002
        """Parse a text that a seat sent along with a move as its move of a later phase of the same turn.

        Games whose turns have no later phase that chance may delay keep this method.
        """
        return None

    @abstractmethod
    def apply(self, position: P, seat: Seat, move: Move, chance: Chance) -> P:
        """Play a legal move; raises IllegalMove for any other."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return the result by the rules, or None while the match runs."""

    def suggest(self, position: P, seat: Seat) -> tuple[Move, ...]:
        """Return likely good moves, best first, judged by what the seat itself knows."""
        return tuple(islice(self.moves(position, seat), 3))

    # -- views ---------------------------------------------------------------------------------------

    def view(self, position: P, viewer: Viewer) -> View:
        """Return what a viewer may see of a position; the only source of pages, mail, API, feeds and errors."""
        moves = () if isinstance(viewer, Eye) else tuple(islice(self.moves(position, viewer), MAX_MOVES_SHOWN + 1))
        return View(
            game=self.key,
            viewer=viewer,
            to_move=self.to_move(position),
            moves=moves[:MAX_MOVES_SHOWN],
            moves_are_all=len(moves) <= MAX_MOVES_SHOWN,
            outcome=self.outcome(position),
            board=self.board(position, viewer),
            log=self.log(position, viewer),
        )

    @abstractmethod
    def board(self, position: P, viewer: Viewer) -> dict[str, Json]:
        """Return everything that a viewer may know by the rulebook as plain data, and no more."""

    @abstractmethod
    def log(self, position: P, viewer: Viewer) -> list[Json]:
        """Return what has happened so far, as this viewer may know it: one object per move.

        Each has `seat` and `move` (null if hidden), and the effects of the move under keys of the game's own.
        """

    def exchange(self, position: P, viewer: Viewer, seed: bytes) -> P:  # noqa: ARG002
        """Return another position that the viewer cannot tell from this one, with its secrets drawn anew.

        Games without secrets keep this method, which returns the position itself.
        """
        return position

    def reveals(self, before: P, move: Move, after: P) -> bool:  # noqa: ARG002
        """Return whether a move drew from chance or revealed something hidden to anyone.

        Games without secrets and without chance after setup keep this method.
        """
        return False

    # -- conditional moves ---------------------------------------------------------------------------

    def meets(self, view: View, condition: str) -> bool:
        """Return whether a View meets a condition, such as `take 3`, `I lead` or `always`.

        It is called with the View of the seat that stated the condition, when its turn has come: a move in it is met
        if another seat made that move since the seat's own last one. To check whether a condition can be understood,
        call it with any View of that seat. Raises InvalidMove, with a sentence, for no condition of this game, and
        its subclass NeverMet for a condition that cannot be met any more.
        """
        return self.foresight.meets(self, view, condition)

    def conditions(self, view: View) -> tuple[str, ...]:
        """Return some conditions that suit a View, at most three, for help texts."""
        return self.foresight.examples(view)

    @property
    def policies(self) -> Mapping[str, str]:
        """Policies of this game, by what a player writes, each with a sentence on what it chooses.

        The sentences are patterns of the catalogs, as those of errors are.
        """
        return {key: phrase.pattern for key, phrase in self.foresight.policies.items()}

    def follow(self, view: View, policy: str) -> Move | None:
        """Choose one of the View's moves by a policy, or return None if the policy does not apply now.

        Raises InvalidMove, with a sentence, for no policy of this game.
        """
        return self.foresight.follow(self, view, policy)


def _seats_phrase(seats: range) -> Phrase:
    if len(seats) > 1:
        return Phrase("{first} to {last} players", first=seats[0], last=seats[-1])
    return Phrase("one player") if seats[0] == 1 else Phrase("{count} players", count=seats[0])
