"""Robot of Martian Whist: an open game of two, so that its seats share one tree."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import TYPE_CHECKING, ClassVar

from pbem.games import Chance, Stream
from pbem.games.chance import SEED_BYTES
from pbem.games.hidden import Seat
from pbem.games.martian_whist.game import TAKE_INDEX, PastMove, Position, compare_won
from pbem.games.martian_whist.words import SWAP_PLY
from pbem.games.trees import (
    PYRAMID_UNIT,
    TREES,
    Tree,
    follower_wins,
    playable,
    pyramid_worth,
    room_by_height,
    score,
    strength,
    tree_moves,
)
from pbem.robots import outlook
from pbem.robots.robot import SearchingRobot
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.games import Move, View
    from pbem.games.pyramids import Stack
    from pbem.robots.outlook import Outlook

_POINTS_PER_E = 4
"""Margin in points by which a result is as sure as e to 1."""
_RESULT_SHARE = 0.2
"""Share of a position's worth that is who wins; the rest is by how much."""
_LEADS_TRIED = 3
_TAKES_TRIED = 3
"""Number of takes of which a seat chooses one in ordinary play; in a search it takes any."""
_SHARPNESS_OF_DRAFTS = 0.2
_TREE_BY_STACK = {tree.stack: tree for tree in TREES.values()}


class WhistRobot(SearchingRobot[Position, Position]):
    """Plays Martian Whist."""

    game = "martian-whist"
    playouts: ClassVar[Mapping[Level, int]] = {Level.STRONG: 2000}
    outlook_playouts = 1200
    sharpness = 0.7
    exploration = 0.3

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
        """Draw a take, or choose the safest of some leads, or the weakest tree that wins."""
        if position.heights:
            return super().playout_move(position, seat, stream)
        if position.led is None:
            return _lead(position.stashes[seat - 1], position.stashes[2 - seat], stream).move
        return _answer(position.stashes[seat - 1], position.led).move

    def play_on(self, position: Position, begun: Position, stream: Stream, chance: Chance) -> tuple[float, ...]:  # noqa: ARG002
        """Play on to the end as `playout_move` does, without making the positions between."""
        return _worth(*self._play_out(position, stream, chance, 1))

    def outlook(self, position: Position, playouts: int, seed: bytes) -> Outlook:
        """Return what comes of play as in a search, where seats draft with some care too."""
        chance = Chance(bytes(SEED_BYTES))
        if not position.to_move:
            return outlook.average([compare_won(position.won)])
        streams = (Stream(seed, f"outlook/{number}") for number in range(playouts))
        ends = (self._play_out(position, stream, chance, _TAKES_TRIED) for stream in streams)
        return outlook.average(map(compare_won, ends))

    def sharpness_at(self, position: Position) -> float:
        """Return less for the draft, in which the playouts of equal seats hardly tell who wins."""
        return _SHARPNESS_OF_DRAFTS if position.heights else self.sharpness

    def _play_out(self, position: Position, stream: Stream, chance: Chance, tried: int) -> tuple[int, int]:
        """Play on to the end, each take being the best of some; return the units that the seats have won."""
        while position.to_move and position.ply <= SWAP_PLY:
            seat = position.to_move[0]
            position = self.apply(position, seat, self.playout_move(position, seat, stream), chance)
        if not position.to_move:
            return position.won
        mover = position.to_move[0] - 1
        stashes, won, led = [*position.stashes], [*position.won], position.led
        if position.heights:
            mover = _draft(position, stashes, mover, stream, tried)
        while any(stashes):
            if led is None:
                led = _lead(stashes[mover], stashes[1 - mover], stream)
                stashes[mover] -= led.units
                mover = 1 - mover
            answer = _answer(stashes[mover], led)
            stashes[mover] -= answer.units
            best = answer if follower_wins(led.move, answer.move) else led
            mover = mover if best is answer else 1 - mover
            won[mover] += best.units
            led = None
        return won[0], won[1]

    def worth(self, position: Position, begun: Position) -> tuple[float, ...]:  # noqa: ARG002
        """Return mostly who has won, and a little of by how much."""
        return _worth(*position.won)


def _worth(first_won: int, second_won: int) -> tuple[float, ...]:
    margin = score(first_won) - score(second_won)
    result = 0.5 if not margin else float(margin > 0)
    first = _RESULT_SHARE * result + (1 - _RESULT_SHARE) / (1 + exp(-margin / _POINTS_PER_E))
    return first, 1 - first


def _draft(position: Position, stashes: list[int], mover: int, stream: Stream, tried: int) -> int:
    """Take the best of some drawn pyramids into a stash until no tree is left; return who took the last, from 0."""
    heights, dealt, limit = bytearray(position.heights), position.dealt, position.limit
    for _left in range(sum(heights)):
        takes = _takes(stashes[mover], limit, heights)
        while not takes:
            # A pass is drawn too: it is the only move.
            stream.below(1)
            mover = 1 - mover
            takes = _takes(stashes[mover], limit, heights)
        at = takes[stream.below(len(takes))]
        if tried > 1:
            drawn = [at, *(takes[stream.below(len(takes))] for _ in range(tried - 1))]
            mine, theirs = stashes[mover], stashes[1 - mover]
            at = max(drawn, key=lambda at: _gain(dealt[at], heights[at], mine, theirs))
        heights[at] -= 1
        stashes[mover] += PYRAMID_UNIT[dealt[at][heights[at]]]
        mover = 1 - mover
    return 1 - mover


def _gain(tree: Stack, height: int, mine: int, theirs: int) -> int:
    """Return what taking the top of a tree is worth, as the game suggests takes."""
    top = tree[height - 1]
    left = pyramid_worth(theirs, tree[height - 2]) if height > 1 else 0
    return 2 * pyramid_worth(mine, top) + pyramid_worth(theirs, top) - left


def _takes(stash: int, limit: int, heights: bytearray) -> list[int]:
    room = room_by_height(stash, limit)
    return [at for at, height in enumerate(heights) if room[height]]


def _lead(mine: int, theirs: int, stream: Stream) -> Tree:
    """Return which of some leads, drawn at random, fewest answers from the other stash beat."""
    leads = tree_moves(playable(mine, None))
    drawn = [TREES[leads[stream.below(len(leads))]] for _ in range(min(_LEADS_TRIED, len(leads)))]
    return min(drawn, key=lambda lead: (playable(theirs, lead) & _beating(lead)).bit_count())


def _answer(mine: int, led: Tree) -> Tree:
    """Return the weakest tree that wins, or the weakest of all if none does."""
    trees = playable(mine, led)
    trees = trees & _beating(led) or trees
    return TREES[next(tree_moves(trees & alike)[0] for alike in _BY_STRENGTH if trees & alike)]


@cache
def _beating(led: Tree) -> int:
    """Return the set of the trees that win against a lead."""
    return sum(tree.alone for tree in TREES.values() if follower_wins(led.move, tree.move))


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
