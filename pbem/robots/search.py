"""Monte Carlo tree search over what seats know, by playouts from imagined positions.

Information set search with one tree (Cowling, Powley and Whitehouse, 2012): its branches are moves, each playout goes
along those that are legal in its imagined position, and all seats choose what was best for themselves. It is for games
whose moves everybody hears; a robot of a game with blind or sealed moves thinks in a way of its own. Without secrets
it is plain UCT.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from math import log, sqrt
from typing import TYPE_CHECKING, TypeVar

from pbem.games import Chance, Seat, Stream
from pbem.robots.thought import Thought, Try

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.games import Move, View
    from pbem.robots.robot import SearchingRobot

P = TypeVar("P")
K = TypeVar("K")


@dataclass(slots=True)
class _Node:
    """What is known after some moves; it counts how often it could be reached, was reached, and what it was worth."""

    available: int = 0
    times: int = 0
    worth: float = 0.0
    children: dict[str, _Node] = field(default_factory=dict)


def think(robot: SearchingRobot[P, K], view: View, playouts: int, seed: bytes) -> Thought:
    """Choose a move for the seat of a View; the same View, number of playouts and seed choose the same."""
    known, stream = robot.know(view), Stream(seed, "think")
    seat = view.viewer
    if not isinstance(seat, int):
        raise TypeError("only a seat has a move to choose")
    begun = robot.imagine(known, stream)
    only = _only_move(robot, begun, seat)
    if only is not None:
        return Thought(only, (Try(only, 0, 0.0),), 0)
    tree = _Node()
    for number in range(playouts):
        position = robot.imagine(known, stream)
        chance = Chance(sha256(seed + number.to_bytes(8, "big")).digest())
        _play_out(robot, position, tree, chance, stream)
    tried = _tried(robot, begun, seat, tree, ())
    ranked = sorted(tried, key=lambda one: (-one.times, -one.worth))
    return Thought(ranked[0].move, tuple(ranked), playouts)


def _only_move(robot: SearchingRobot[P, K], position: P, seat: Seat) -> Move | None:
    chosen: tuple[str, ...] = ()
    while pieces := robot.options(position, seat, chosen):
        if len(pieces) > 1:
            return None
        chosen = (*chosen, pieces[0])
    return robot.complete(position, seat, chosen)


def _play_out(robot: SearchingRobot[P, K], begun: P, tree: _Node, chance: Chance, stream: Stream) -> None:
    """Descend the tree to a move that was not tried yet, play on to a settled position, and count what it is worth."""
    position, node = begun, tree
    path: list[tuple[Seat, _Node]] = []
    grown = False
    while not grown and not robot.is_settled(position, begun):
        seat = robot.mover(position)
        chosen: tuple[str, ...] = ()
        while pieces := robot.options(position, seat, chosen):
            piece, node, new = _choose(node, pieces, robot.exploration)
            grown = grown or new
            chosen = (*chosen, piece)
            path.append((seat, node))
        position = robot.apply(position, seat, robot.complete(position, seat, chosen), chance)
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


def _tried(robot: SearchingRobot[P, K], position: P, seat: Seat, node: _Node, chosen: tuple[str, ...]) -> Iterator[Try]:
    """Yield the complete moves below a node."""
    pieces = robot.options(position, seat, chosen)
    if not pieces:
        yield Try(robot.complete(position, seat, chosen), node.times, node.worth / node.times)
    for piece in pieces:
        child = node.children.get(piece)
        if child is not None:
            yield from _tried(robot, position, seat, child, (*chosen, piece))
