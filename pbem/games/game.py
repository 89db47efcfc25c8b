"""The engine contract: what every game offers to the table.

A game is a stateless object; its positions are values. Nothing here knows a clock, a file or a network,
and all chance is passed in. `docs/new-game.md` walks through writing one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Generic, NewType, TypeAlias, TypeVar

from pbem.games import nearness, typed
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
"""Plain data, as boards and logs are made of."""

MOVES_SHOWN = 200
"""How many moves a View lists at the most."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended by the rules; `scores[0]` is seat 1's, `winners` is in ascending order."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know of a position: the only thing of it that leaves the table.

    `moves` are the viewer's own legal ones, at most 200, in the order of `Game.moves`; `board` and `log`
    are plain data without secrets.
    """

    game: str
    viewer: Viewer
    to_move: tuple[Seat, ...]
    moves: tuple[Move, ...]
    moves_are_all: bool
    outcome: Outcome | None
    board: dict[str, Json]
    log: list[Json]


class Game(ABC, Generic[P]):
    """A set of rules over frozen positions of type P.

    A subclass gives the class attributes, the abstract methods, and overrides the others where its
    rulebook has more to say.
    """

    key: ClassVar[str]
    """The rulebook's key, lower case with hyphens."""
    name: ClassVar[str]
    seats: ClassVar[range]
    """The numbers of seats that a match may have."""
    edition: ClassVar[int] = 1
    """Counts up whenever a change of the rules would replay an old match differently."""
    options: ClassVar[Mapping[str, tuple[object, ...]]] = {}
    """Every option's allowed values, the default first."""
    arrow: ClassVar[str] = "-"
    """What a typed arrow stands for in this game's moves."""
    foresight: ClassVar[Foresight] = Foresight()
    """What its players may say in advance; a game of few words keeps this one."""

    # -- a match begins ------------------------------------------------------------------------------

    def settle(self, seats: int, options: Mapping[str, object]) -> Mapping[str, object]:
        """Complete the chosen options with the defaults, or raise OptionError naming what is allowed."""
        if type(seats) is not int or seats not in self.seats:
            raise OptionError("{game} is for {seats}.", game=self.name, seats=_players(self.seats))
        for name, value in options.items():
            if name not in self.options:
                known = tuple(self.options) or Phrase("none")
                raise OptionError(
                    "{game} has no option “{name}”; it has: {known}.", game=self.name, name=name, known=known
                )
            if not any(_same(value, allowed) for allowed in self.options[name]):
                values = self.options[name]
                raise OptionError(
                    "Option “{name}” can be: {values}; not “{value}”.", name=name, values=values, value=value
                )
        return {name: options.get(name, values[0]) for name, values in self.options.items()}

    @abstractmethod
    def setup(self, seats: int, options: Mapping[str, object], chance: Chance) -> P:
        """Deal the first position; settles the options itself."""

    # -- whose turn ----------------------------------------------------------------------------------

    @abstractmethod
    def to_move(self, position: P) -> tuple[Seat, ...]:
        """Tell who may act: none when it is over, several when they act together, sealed."""

    @abstractmethod
    def stage(self, position: P) -> int:
        """Count the present stage: stages complete plus one, also when it is over."""

    # -- moves ---------------------------------------------------------------------------------------

    @abstractmethod
    def moves(self, position: P, seat: Seat) -> Iterator[Move]:
        """List every legal move of a seat lazily, each once; nothing for a seat not to move."""

    def allows(self, position: P, seat: Seat, move: Move) -> bool:
        """Tell whether a canonical move is legal; overridden where the moves are countless."""
        return any(move == legal for legal in self.moves(position, seat))

    def steps(self, position: P, seat: Seat, chosen: tuple[str, ...]) -> tuple[str, ...]:
        """Offer the pieces that may follow those chosen; () means that the move is complete.

        The piece `.` means "done" where going on is possible too. A game whose moves are one piece each
        keeps this one.
        """
        return () if chosen else tuple(self.moves(position, seat))

    def read(self, position: P, seat: Seat, text: str) -> Move:
        """Understand what a person typed as a legal move in canonical text.

        Raises InvalidMove where the text has the form of no move of this phase, and IllegalMove, with
        the reason, where it has but may not be played now.
        """
        if seat not in self.to_move(position):
            over = self.outcome(position) is not None
            raise IllegalMove("The match is over.") if over else IllegalMove("It is not your turn.")
        return typed.attempt(
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
        """Put a folded line of a seat that is to move into canonical text, legal or not.

        Raises InvalidMove if it has the form of no move of this phase, IllegalMove if it cannot even be
        written as one because of the position.
        """

    def objection(self, position: P, seat: Seat, move: Move) -> IllegalMove:  # noqa: ARG002
        """Say why a move is not legal, in a sentence for its mover; asked only where it is not."""
        return IllegalMove("“{move}” may not be played now.", move=move)

    def nearest(self, position: P, seat: Seat, text: str) -> tuple[Move, ...]:
        """Name the legal moves, at most three, that a refused text may have meant, the likeliest first.

        It uses what the seat itself knows; overridden where the moves are countless.
        """
        if seat not in self.to_move(position):
            return ()
        return nearness.closest(self.meant(position, seat, text), islice(self.moves(position, seat), nearness.COMPARED))

    def meant(self, position: P, seat: Seat, text: str) -> str:
        """Put a text of a seat that is to move into canonical form where it has one, legal or not."""
        try:
            return typed.attempt(text, self.arrow, lambda line: self.parse(position, seat, line))
        except GameError:
            return typed.fold(text[: typed.LONGEST], self.arrow)

    def ahead(self, position: P, seat: Seat, text: str) -> Move | None:  # noqa: ARG002
        """Read a text that a seat sent along with a move as its move of a later phase of the same turn.

        Games whose turns have no later phase that chance may put off keep this one.
        """
        return None

    @abstractmethod
    def apply(self, position: P, seat: Seat, move: Move, chance: Chance) -> P:
        """Play a legal move; raises IllegalMove for what is not allowed."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Tell the result by the rules, or None while the match runs."""

    def suggest(self, position: P, seat: Seat) -> tuple[Move, ...]:
        """Name likely good moves, best first, judged by what the seat itself knows."""
        return tuple(islice(self.moves(position, seat), 3))

    # -- what is seen --------------------------------------------------------------------------------

    def view(self, position: P, viewer: Viewer) -> View:
        """Show a position to a viewer; the only door to pages, mail, API, feeds and errors."""
        moves = () if isinstance(viewer, Eye) else tuple(islice(self.moves(position, viewer), MOVES_SHOWN + 1))
        return View(
            game=self.key,
            viewer=viewer,
            to_move=self.to_move(position),
            moves=moves[:MOVES_SHOWN],
            moves_are_all=len(moves) <= MOVES_SHOWN,
            outcome=self.outcome(position),
            board=self.board(position, viewer),
            log=self.log(position, viewer),
        )

    @abstractmethod
    def board(self, position: P, viewer: Viewer) -> dict[str, Json]:
        """Put everything that a viewer may know by the rulebook into plain data, and no more."""

    @abstractmethod
    def log(self, position: P, viewer: Viewer) -> list[Json]:
        """Tell what has happened so far, as this viewer may know it: one object per move.

        Each has `seat` and `move` (null where it is hidden), and what the move brought about under keys
        of the game's own.
        """

    def exchange(self, position: P, viewer: Viewer, seed: bytes) -> P:  # noqa: ARG002
        """Make another position that the viewer cannot tell from this one, its secrets drawn anew.

        Games without secrets keep this one, which returns the position itself.
        """
        return position

    def reveals(self, before: P, move: Move, after: P) -> bool:  # noqa: ARG002
        """Tell whether a move drew from chance or made something hidden known to somebody.

        Games without secrets or chance after setup keep this one.
        """
        return False

    # -- what is said in advance ---------------------------------------------------------------------

    def meets(self, view: View, condition: str) -> bool:
        """Tell whether what a View shows meets a condition, such as `take 3`, `I lead` or `always`.

        It is asked with the View of the seat that named it, when its turn has come: a move in it is met if
        another seat made that since the seat's own last one. To see whether a condition can be understood,
        ask with any View of that seat. Raises InvalidMove, with a sentence, for no condition of this game,
        and NeverMet, which is one, for a condition that cannot be met any more.
        """
        return self.foresight.meets(self, view, condition)

    def conditions(self, view: View) -> tuple[str, ...]:
        """Name some conditions that suit a View, at most three, for help texts."""
        return self.foresight.examples(view)

    @property
    def policies(self) -> Mapping[str, str]:
        """The standing orders of this game, by what a player writes, with a sentence of what each chooses.

        The sentences are patterns of the catalogs, as those of refusals are.
        """
        return {key: phrase.pattern for key, phrase in self.foresight.policies.items()}

    def follow(self, view: View, policy: str) -> Move | None:
        """Choose the move of a View's own that a standing order tells, or None where it has nothing to say now.

        Raises InvalidMove, with a sentence, for no standing order of this game.
        """
        return self.foresight.follow(self, view, policy)


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and a == b


def _players(seats: range) -> Phrase:
    if len(seats) > 1:
        return Phrase("{first} to {last} players", first=seats[0], last=seats[-1])
    return Phrase("one player") if seats[0] == 1 else Phrase("{count} players", count=seats[0])
