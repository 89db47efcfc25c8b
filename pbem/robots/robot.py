"""What a robot that thinks knows of its game: how to imagine what is hidden, and how to judge what may follow.

A robot is stateless, as games are. It sees the View of its seat and nothing else, and all chance is passed in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pbem.games import Move
from pbem.robots import outlook, search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games import Chance, Game, Seat, Stream, View
    from pbem.robots.outlook import Outlook
    from pbem.robots.thought import Level, Thought

P = TypeVar("P")
K = TypeVar("K")


class Robot(ABC, Generic[P, K]):
    """Player of one game; P is the position it plays on, K what a View says, in the robot's own form.

    A subclass defines the class attributes and the abstract methods.
    """

    game: ClassVar[str]
    """Key of the game."""
    edition: ClassVar[int] = 1
    """Incremented whenever any choice of the robot could change, at any level."""
    playouts: ClassVar[Mapping[Level, int]]
    """Number of playouts for each level that thinks."""
    draws: ClassVar[bool] = True
    """Whether its thinking draws from the seed, so that another seed may choose another move."""
    outlook_playouts: ClassVar[int] = 200
    """Number of playouts for an outlook that is exact to about 1.5 of 100, as far as time allows."""
    sharpness: ClassVar[float] = 1.0
    """Factor on the log odds of an outlook's chances by which they come nearest to results of matches."""

    def __init__(self, rules: Game[Any]) -> None:
        self.rules = rules

    @abstractmethod
    def know(self, view: View) -> K:
        """Return what the View of a seat to move says, read once for all playouts."""

    @abstractmethod
    def imagine(self, known: K, stream: Stream) -> P:
        """Return a position that looks to the seat like its View, drawn evenly from those that the log allows."""

    def position_of(self, known: K, imagined: P) -> Any:  # noqa: ARG002
        """Return the game's own position of an imagined one: itself, unless the robot plays on a form of its own."""
        return imagined

    @abstractmethod
    def think(self, view: View, playouts: int, seed: bytes) -> Thought:
        """Choose a move for the seat of a View; the same View, number of playouts and seed choose the same."""

    def outlook(self, position: Any, playouts: int, seed: bytes) -> Outlook:
        """Return what the game's own position, of which all is seen, comes to when all seats go on with ordinary play.

        Ordinary play needs no search: by default it is the first suggestion, one time in four any of the first three,
        to the end of the match. Each seat goes by what it knows itself. What the position has not drawn yet is drawn
        anew in each playout. A match that is over has its result. The same position, number and seed come to the same.
        """
        return outlook.by_the_rules(self.rules, position, playouts, seed)

    def sharpness_at(self, position: Any) -> float:  # noqa: ARG002
        """Return the sharpness of the outlook of the game's own position, where it is not the same for all."""
        return self.sharpness


class SearchingRobot(Robot[P, K]):
    """Player of a game whose moves everybody hears, by a tree search (`pbem.robots.search`).

    A subclass overrides what its game is played better by.
    """

    exploration: ClassVar[float] = 0.7
    """Weight of what was tried seldom against what turned out well."""

    def mover(self, position: P) -> Seat:
        """Return the seat that moves next."""
        return self.rules.to_move(position)[0]

    def apply(self, position: P, seat: Seat, move: Move, chance: Chance) -> P:
        """Play a legal move."""
        after: P = self.rules.apply(position, seat, move, chance)
        return after

    def options(self, position: P, seat: Seat, chosen: tuple[str, ...]) -> Sequence[str]:
        """Return the pieces that are tried after those chosen, the likeliest first; none if the move is complete."""
        return () if chosen else tuple(self.rules.moves(position, seat))

    def complete(self, position: P, seat: Seat, chosen: tuple[str, ...]) -> Move:
        """Return the move that complete pieces make."""
        return self.rules.read(position, seat, " ".join(chosen)) if len(chosen) > 1 else Move(chosen[0])

    def playout_move(self, position: P, seat: Seat, stream: Stream) -> Move:
        """Choose a move in a playout: by default, any."""
        moves = tuple(self.rules.moves(position, seat))
        return moves[stream.below(len(moves))]

    def play_on(self, position: P, begun: P, stream: Stream, chance: Chance) -> tuple[float, ...]:
        """Play on until a position is settled, and return what it is worth to each seat."""
        while not self.is_settled(position, begun):
            seat = self.mover(position)
            position = self.apply(position, seat, self.playout_move(position, seat, stream), chance)
        return self.worth(position, begun)

    def is_settled(self, position: P, begun: P) -> bool:  # noqa: ARG002
        """Return whether a playout that begun at a position has gone far enough; by default, to the end."""
        return not self.rules.to_move(position)

    @abstractmethod
    def worth(self, position: P, begun: P) -> tuple[float, ...]:
        """Return for each seat what a settled position is worth to it, from 0 to 1."""

    def think(self, view: View, playouts: int, seed: bytes) -> Thought:
        """Choose a move by search."""
        return search.think(self, view, playouts, seed)
