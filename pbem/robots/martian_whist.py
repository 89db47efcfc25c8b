"""Robot of Martian Whist: an open game of two, so that its seats share one tree."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING, ClassVar

from pbem.games.hidden import Seat
from pbem.games.martian_whist.game import TAKE_INDEX, PastMove, Position
from pbem.games.trees import (
    PYRAMID_UNIT,
    TREES,
    Tree,
    follower_wins,
    playable,
    pyramid_worth,
    score,
    strength,
    tree_moves,
)
from pbem.robots.robot import Robot
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.games import Move, Stream, View

_POINTS_PER_E = 6
"""Margin in points by which a result is as sure as e to 1."""
_RESULT_SHARE = 0.8
"""Share of a position's worth that is who wins; the rest is by how much."""
_LEADS_TRIED = 3
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

    def playout_move(self, position: Position, seat: Seat, stream: Stream) -> Move:
        """Choose the better of two takes, the safest of some leads, or the cheapest tree that wins."""
        mine, theirs = position.stashes[seat - 1], position.stashes[2 - seat]
        if position.heights:
            return self._take(position, seat, stream)
        trees = playable(mine, position.led)
        if position.led is None:
            return _safest(tree_moves(trees), theirs, stream)
        return _weakest(trees & _beating(position.led) or trees)

    def _take(self, position: Position, seat: Seat, stream: Stream) -> Move:
        moves = tuple(self.rules.moves(position, seat))
        one, other = (moves[stream.below(len(moves))] for _ in range(2))
        return one if one == other or _gain(position, seat, one) >= _gain(position, seat, other) else other

    def worth(self, position: Position, begun: Position) -> tuple[float, ...]:  # noqa: ARG002
        """Return mostly who has won, and a little of by how much."""
        margin = score(position.won[0]) - score(position.won[1])
        result = 0.5 if not margin else float(margin > 0)
        first = _RESULT_SHARE * result + (1 - _RESULT_SHARE) / (1 + exp(-margin / _POINTS_PER_E))
        return first, 1 - first


@cache
def _beating(led: Tree) -> int:
    """Return the set of the trees that win against a lead."""
    return sum(tree.alone for tree in TREES.values() if follower_wins(led.move, tree.move))


def _safest(leads: Sequence[Move], theirs: int, stream: Stream) -> Move:
    """Return which of some leads, drawn at random, fewest answers from the other stash beat."""
    drawn = [TREES[leads[stream.below(len(leads))]] for _ in range(min(_LEADS_TRIED, len(leads)))]
    return min(drawn, key=lambda lead: (playable(theirs, lead) & _beating(lead)).bit_count()).move


def _weakest(trees: int) -> Move:
    """Return the weakest tree of a set."""
    return next(tree_moves(trees & alike)[0] for alike in _BY_STRENGTH if trees & alike)


def _gain(position: Position, seat: Seat, move: Move) -> int:
    """Return what a take is worth to a seat, and what it denies to the other."""
    at = TAKE_INDEX.get(move)
    if at is None:
        return 0
    mine, theirs, height = position.stashes[seat - 1], position.stashes[2 - seat], position.heights[at]
    tree = position.dealt[at]
    under = pyramid_worth(theirs, tree[height - 2]) if height > 1 else 0
    return 2 * pyramid_worth(mine, tree[height - 1]) + pyramid_worth(theirs, tree[height - 1]) - under


def _trees_by_strength() -> list[int]:
    sets: dict[int, int] = {}
    for tree in TREES.values():
        sets[strength(tree.move)] = sets.get(strength(tree.move), 0) | tree.alone
    return [sets[each] for each in sorted(sets)]


_BY_STRENGTH = _trees_by_strength()
"""Sets of equally strong trees, the weakest first."""


def _units(pyramids: Iterable[str]) -> int:
    return sum(PYRAMID_UNIT[pyramid] for pyramid in pyramids)


def _won_units(trees: Iterable[Sequence[str]]) -> int:
    return sum(_TREE_BY_STACK[tuple(tree)].units for tree in trees)


def _past(view: View) -> PastMove | None:
    past: PastMove | None = None
    for entry in view.log:
        past = PastMove(past, Seat(entry["seat"]), entry["move"], entry["took"], entry["under"], entry["winner"])
    return past
