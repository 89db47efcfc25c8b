"""Parts of a lesson: prepared positions, what is asked there, and why an answer is right or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.games.chance import SEED_BYTES, Chance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.game import Game, Move
    from pbem.games.hidden import Seat

MAX_STEPS = 5
"""Maximum steps of a lesson."""


class PreparedChance(Chance):
    """Chance that deals and rolls what a lesson has prepared, by label, and draws the rest from a seed."""

    __slots__ = ("_prepared",)

    def __init__(self, seed: int, prepared: Mapping[str, str]) -> None:
        super().__init__(seed.to_bytes(SEED_BYTES, "big"))
        self._prepared = prepared

    def shuffle(self, label: str, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the prepared items first, in their order, then the others as they are shuffled."""
        left = [*super().shuffle(label, items)]
        first = [left.pop(left.index(name)) for name in self._prepared.get(label, "").split()]
        return (*first, *left)

    def rolls(self, label: str, times: int) -> tuple[int, ...]:
        """Return the prepared rolls, if there are any."""
        prepared = self._prepared.get(label, "").split()
        return tuple(map(int, prepared)) if prepared else super().rolls(label, times)


@dataclass(frozen=True, slots=True)
class Stand:
    """A position of a lesson where the learner is to move, with what is needed to play on from it."""

    game: Game[Any]
    chance: Chance
    position: Any
    seat: Seat


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a move of the learner did: it, and what the others answered until the learner is to move again."""

    game: Game[Any]
    seat: Seat
    move: Move
    before: Any
    after: Any
    """Position after the learner's move alone."""
    answered: Any

    @property
    def news(self) -> tuple[Mapping[str, Any], ...]:
        """The new entries of the log as the learner sees them, their own move first."""
        known: list[Any] = self.game.log(self.before, self.seat)
        entries: list[Any] = self.game.log(self.answered, self.seat)
        return tuple(entries[len(known) :])

    @property
    def own(self) -> Mapping[str, Any]:
        """The log's entry of the learner's move, as it stands right after it."""
        entries: list[Any] = self.game.log(self.after, self.seat)
        found: Mapping[str, Any] = next(entry for entry in reversed(entries) if entry["seat"] == self.seat)
        return found

    @property
    def board(self) -> Mapping[str, Any]:
        """The learner's board at the end."""
        return self.game.board(self.answered, self.seat)


Fits: TypeAlias = Callable[[Attempt], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """A kind of move, by what it did, and why it is right or not."""

    fits: Fits
    why: str
    is_right: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One position of a lesson: the rule that it shows, the question, and the kinds of answers to it.

    The position is that of a match with these options: what is dealt by label, the seed of all other draws, and the
    moves up to there, each as a player types it. The first kind that an attempt fits counts; `otherwise` is the
    sentence for moves that fit none. Sentences are English, marked for the catalogs.
    """

    heading: str
    text: str
    question: str
    answers: tuple[Answer, ...]
    otherwise: str
    seats: int = 2
    seat: int = 1
    options: Mapping[str, object] = field(default_factory=dict)
    dealt: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a game."""

    game: str
    lead: str
    steps: tuple[Step, ...]
    ending: str
    """What else a first match needs, in a sentence or two."""
