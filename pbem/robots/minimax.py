"""Robot of Minimax: it follows many lines of play at once to their ends, and plays the first turn of the best.

Nothing is hidden and nothing is left to chance, so that a line can be played as it was found.
"""

from __future__ import annotations

from heapq import nlargest
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from pbem.games import Move
from pbem.games.minimax.advice import rated_sowings
from pbem.games.minimax.game import Position, Turn, is_cleared
from pbem.games.minimax.sowing import ANY_CARD, STACK_POINTS, Wheel, starts, vault_points
from pbem.games.minimax.words import format_move
from pbem.robots.outlook import Outlook
from pbem.robots.robot import Robot
from pbem.robots.thought import Level, Thought, Try

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.games import Stream, View

_MAX_CONTINUATIONS = 30
"""Number of turns with which a line goes on."""
_BEAM_WIDTH = 10
"""Number of partial sowings of a card that are followed after each drop."""
_TREE_SIZE = 3
_BEST_TREE_POINTS = max(STACK_POINTS.values())

State: TypeAlias = "tuple[Wheel, Wheel, str | None]"
"""The wheel, the trees that may stay whole, and the card to be sown next; None when the game is over."""


class _Line(NamedTuple):
    """Turns in a row: how good their end looks, where they lead, and which turn is the first."""

    value: float
    state: State
    first: Move


class MinimaxRobot(Robot[Position, Position]):
    """Plays Minimax."""

    game = "minimax"
    draws = False
    outlook_playouts = 1200
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 1200}

    def know(self, view: View) -> Position:
        """Return the position, which nobody hides, from its board and log."""
        board, cards = view.board, view.board["wheel"]
        wheel, fresh = (tuple(tuple(map("/".join, card[key])) for card in cards) for key in ("stacks", "fresh"))
        following = ANY_CARD if board["free"] else next(card["card"] for card in cards if card["may_sow"])
        turns = (Turn(Move(one["move"]), one["score"], one["next"], tuple(one["trees"])) for one in view.log)
        return Position(board["size"], wheel, fresh, following, tuple(turns))

    def imagine(self, known: Position, stream: Stream) -> Position:  # noqa: ARG002 (nothing is hidden)
        """Return the position itself."""
        return known

    def think(self, view: View, playouts: int, seed: bytes) -> Thought:  # noqa: ARG002 (nothing is drawn)
        """Choose the first turn of the line that makes most points."""
        position = self.know(view)
        if view.moves_are_all and len(view.moves) == 1:
            return Thought(view.moves[0], (Try(view.moves[0], 0, 0.0),), 0)
        most = _most_points(position.wheel)
        ended, looked_at = _follow(position, playouts)
        points: dict[Move, list[int]] = {}
        for line in ended:
            points.setdefault(line.first, []).append(vault_points(line.state[0]))
        best = {move: max(made) for move, made in points.items()}
        ranked = sorted(best, key=best.__getitem__, reverse=True)
        return Thought(ranked[0], tuple(Try(move, len(points[move]), best[move] / most) for move in ranked), looked_at)

    def outlook(self, position: Position, playouts: int, seed: bytes) -> Outlook:  # noqa: ARG002 (nothing is drawn)
        """Return what the best line makes that a search finds: ordinary play would say little of a deal."""
        wheels = [position.wheel]
        if position.next is not None:
            wheels = [line.state[0] for line in _follow(position, playouts)[0]]
        best = max(wheels, key=lambda wheel: (vault_points(wheel), is_cleared(wheel)))
        return Outlook((float(is_cleared(best)),), (float(vault_points(best)),))


def _follow(position: Position, playouts: int) -> tuple[list[_Line], int]:
    """Follow lines to their ends; return those that ended, and how many were looked at.

    After each turn as many go on as there are playouts for each pyramid.
    """
    width, ended = max(1, playouts // _count_pyramids(position.wheel)), list[_Line]()
    lines, looked_at = _continue((position.wheel, position.fresh, position.next), None), 1
    while lines:
        ended += [line for line in lines if line.state[2] is None]
        kept = nlargest(width, _distinct(lines), key=attrgetter("value"))
        looked_at += len(kept)
        lines = [further for line in kept for further in _continue(line.state, line.first)]
    return ended, looked_at


def _continue(state: State, first: Move | None) -> list[_Line]:
    """Return the lines that go on from a state, whose first turn is the given one or their own."""
    return [
        _Line(value, (sowing.wheel, sowing.fresh(), sowing.next()), first or format_move(chosen))
        for value, sowing, chosen in rated_sowings(starts(*state), _MAX_CONTINUATIONS, _BEAM_WIDTH)
    ]


def _distinct(lines: Iterable[_Line]) -> Iterable[_Line]:
    """Return the lines that are not over, one for each state."""
    return {line.state: line for line in lines if line.state[2] is not None}.values()


def _count_pyramids(wheel: Wheel) -> int:
    return sum(stack.count("/") + 1 for stacks in wheel for stack in stacks)


def _most_points(wheel: Wheel) -> int:
    return _count_pyramids(wheel) // _TREE_SIZE * _BEST_TREE_POINTS
