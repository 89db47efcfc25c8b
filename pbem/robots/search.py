"""Monte Carlo tree search over what seats know, by playouts from imagined positions.

Multiple-observer information set search (Cowling, Powley and Whitehouse, 2012): a tree for each seat, whose branches
are what that seat hears. A move is chosen at a node of the mover's own tree, so no choice depends on what its seat
cannot know. In a game without secrets all seats share one tree, and the search is plain UCT.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from math import log, sqrt
from typing import TYPE_CHECKING, TypeVar

from pbem.games import Chance, Seat, Stream
from pbem.robots.thought import Thought, Try

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from pbem.games import Move, View
    from pbem.robots.robot import Robot

P = TypeVar("P")
K = TypeVar("K")


@dataclass(slots=True)
class _Node:
    """What is known after some moves; it counts how often it could be reached, was reached, and what it was worth."""

    available: int = 0
    times: int = 0
    worth: float = 0.0
    children: dict[Hashable, _Node] = field(default_factory=dict)


def think(robot: Robot[P, K], view: View, playouts: int, seed: bytes) -> Thought:
    """Choose a move for the seat of a View; the same View, number of playouts and seed choose the same."""
    known, stream = robot.know(view), Stream(seed, "think")
    seat = view.viewer
    if not isinstance(seat, int):
        raise TypeError("only a seat has a move to choose")
    begun = robot.imagine(known, stream)
    only = _only_move(robot, begun, seat)
    if only is not None:
        return Thought(only, (Try(only, 0, 0.0),), 0)
    trees = [_Node() for _ in robot.worth(begun, begun)] if robot.has_secrets else [_Node()]
    for number in range(playouts):
        position = robot.imagine(known, stream)
        chance = Chance(sha256(seed + number.to_bytes(8, "big")).digest())
        _play_out(robot, position, trees, chance, stream)
    tried = _tried(robot, begun, seat, trees[seat - 1 if robot.has_secrets else 0], ())
    ranked = sorted(tried, key=lambda one: (-one.times, -one.worth))
    return Thought(ranked[0].move, tuple(ranked), playouts)


def _only_move(robot: Robot[P, K], position: P, seat: Seat) -> Move | None:
    chosen: tuple[str, ...] = ()
    while pieces := robot.options(position, seat, chosen):
        if len(pieces) > 1:
            return None
        chosen = (*chosen, pieces[0])
    return robot.complete(position, seat, chosen)


def _play_out(robot: Robot[P, K], begun: P, trees: Sequence[_Node], chance: Chance, stream: Stream) -> None:
    """Descend the trees to a move that was not tried yet, play on to a settled position, and count what it is worth."""
    secrets = robot.has_secrets
    position, at = begun, list(trees)
    path: list[tuple[Seat, _Node]] = []
    grown = False
    while not grown and not robot.is_settled(position, begun):
        seat = robot.mover(position)
        mine = seat - 1 if secrets else 0
        chosen: tuple[str, ...] = ()
        node = at[mine]
        while pieces := robot.options(position, seat, chosen):
            piece, node, new = _choose(node, pieces, robot.exploration)
            grown = grown or new
            chosen = (*chosen, piece)
            path.append((seat, node))
        move = robot.complete(position, seat, chosen)
        at[mine] = node
        if secrets:
            at = [_listen(robot, position, seat, move, Seat(by), each) for by, each in enumerate(at, 1)]
        position = robot.apply(position, seat, move, chance)
    worth = robot.play_on(position, begun, stream, chance)
    for seat, node in path:
        node.times += 1
        node.worth += worth[seat - 1]


def _choose(node: _Node, pieces: Sequence[str], exploration: float) -> tuple[str, _Node, bool]:
    """Choose a piece that was never tried, else the one with the highest upper confidence bound."""
    children = node.children
    best, bound = pieces[0], -1.0
    for piece in pieces:
        child = children.get(piece)
        if child is None:
            children[piece] = child = _Node()
            return piece, child, True
        child.available += 1
        value = child.worth / child.times + exploration * sqrt(log(child.available + 1) / child.times)
        if value > bound:
            best, bound = piece, value
    return best, children[best], False


def _listen(robot: Robot[P, K], position: P, mover: Seat, move: Move, by: Seat, node: _Node) -> _Node:
    heard = robot.heard(position, mover, move, by)
    if by == mover and heard == move:
        return node
    return node.children.setdefault(("heard", heard), _Node())


def _tried(robot: Robot[P, K], position: P, seat: Seat, node: _Node, chosen: tuple[str, ...]) -> Iterator[Try]:
    """Yield the complete moves below a node."""
    pieces = robot.options(position, seat, chosen)
    if not pieces:
        yield Try(robot.complete(position, seat, chosen), node.times, node.worth / node.times)
    for piece in pieces:
        child = node.children.get(piece)
        if child is not None:
            yield from _tried(robot, position, seat, child, (*chosen, piece))
