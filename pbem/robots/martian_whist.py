"""Robot of Martian Whist: an open game of two, so that its seats share one tree."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, ClassVar

from pbem.games.hidden import Seat
from pbem.games.martian_whist.game import TAKE_INDEX, PastMove, Position
from pbem.games.trees import PYRAMID_UNIT, TREES, score
from pbem.robots.robot import Robot
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.games import Stream, View

_POINTS_PER_E = 6
"""Margin in points by which a result is as sure as e to 1."""
_RESULT_SHARE = 0.8
"""Share of a position's worth that is who wins; the rest is by how much."""
_TREE_BY_STACK = {tree.stack: tree for tree in TREES.values()}


class WhistRobot(Robot[Position, Position]):
    """Plays Martian Whist."""

    game = "martian-whist"
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 1500}

    def know(self, view: View) -> Position:
        """Return the position, which nobody hides, from its board and log."""
        board = view.board
        heights = bytearray(2 * board["limit"])
        dealt: list[list[str]] = [[] for _ in heights]
        for tree in board["trees"]:
            dealt[tree["number"] - 1] = list(tree["pieces"])
            heights[tree["number"] - 1] = len(tree["pieces"])
        for entry in reversed(view.log):
            at = TAKE_INDEX.get(entry["move"])
            if at is not None:
                dealt[at].append(entry["took"])
        first, second = board["stashes"]
        led = _TREE_BY_STACK[tuple(board["led"])] if board["led"] else None
        return Position(
            view.to_move,
            len(view.log) + 1,
            tuple(map(tuple, dealt)),
            bytes(heights) if any(heights) else b"",
            (_units(first), _units(second)),
            led,
            (_won_units(board["won"][0]), _won_units(board["won"][1])),
            _past(view),
        )

    def imagine(self, known: Position, stream: Stream) -> Position:  # noqa: ARG002 (nothing is hidden)
        """Return the position itself."""
        return known

    def worth(self, position: Position, begun: Position) -> tuple[float, ...]:  # noqa: ARG002
        """Return mostly who has won, and a little of by how much."""
        margin = score(position.won[0]) - score(position.won[1])
        result = 0.5 if not margin else float(margin > 0)
        first = _RESULT_SHARE * result + (1 - _RESULT_SHARE) / (1 + exp(-margin / _POINTS_PER_E))
        return first, 1 - first


def _units(pyramids: Iterable[str]) -> int:
    return sum(PYRAMID_UNIT[pyramid] for pyramid in pyramids)


def _won_units(trees: Iterable[Sequence[str]]) -> int:
    return sum(_TREE_BY_STACK[tuple(tree)].units for tree in trees)


def _past(view: View) -> PastMove | None:
    past: PastMove | None = None
    for entry in view.log:
        past = PastMove(past, Seat(entry["seat"]), entry["move"], entry["took"], entry["under"], entry["winner"])
    return past
