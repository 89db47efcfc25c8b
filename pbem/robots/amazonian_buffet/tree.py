"""Search of the board stage: a tree of turns, grown by playouts in which both seats claim what suits their cards.

Turns are taken into the tree in the order of how well their cards suit the mover, more of them the more often a
position was reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import shake_256
from math import isqrt, log, sqrt

from pbem.robots.amazonian_buffet.draft import Draft, Turn, turn_text
from pbem.robots.amazonian_buffet.pools import share_won, strongest_three
from pbem.robots.thought import Thought, Try

_EXPLORATION = 0.35
_FIRST_TURNS = 3
"""Number of turns that are tried in a position at first."""
_NOISE_SHIFT = 4
"""Bits by which random bytes are shifted right before they are added to what seats want in a playout."""


@dataclass(slots=True)
class _Node:
    """A position of the tree; its worth is that to the seat that moved last."""

    times: int = 0
    worth: float = 0.0
    turns: list[Turn] | None = None
    children: dict[Turn, _Node] = field(default_factory=dict)


def think(draft: Draft, playouts: int, seed: bytes) -> Thought:
    """Choose a turn of the board stage."""
    turns = draft.turns()
    if len(turns) == 1:
        move = turn_text(turns[0])
        return Thought(move, (Try(move, 0, 0.0),), 0)
    root = _Node(turns=turns)
    for number in range(playouts):
        _play_out(draft.copy(), root, seed + number.to_bytes(8, "big"))
    ranked = sorted(root.children.items(), key=lambda child: (-child[1].times, -child[1].worth))
    tried = tuple(Try(turn_text(turn), node.times, node.worth / node.times) for turn, node in ranked)
    return Thought(tried[0].move, tried, playouts)


def _play_out(draft: Draft, root: _Node, seed: bytes) -> None:
    """Follow the tree to a turn that was not tried yet, play on to the end, and count what it is worth."""
    node, path = root, [(root, draft.mover)]
    grown = False
    while not (grown or draft.is_over):
        mover = draft.mover
        turn = _choose(node, draft)
        draft.play(turn)
        child = node.children.get(turn)
        grown = child is None
        node = node.children.setdefault(turn, child or _Node())
        path.append((node, mover))
    play_on(draft, seed)
    first = worth(draft)
    for node, mover in path:
        node.times += 1
        node.worth += 1 - first if mover else first


def play_on(draft: Draft, seed: bytes) -> None:
    """Play to the end of the stage, both seats claiming what they want most."""
    _add_noise(draft, seed)
    while not draft.is_over:
        draft.play(draft.wanted_turn())


def worth(draft: Draft) -> float:
    """Return what the cards claimed are worth to seat 1, from 0 to 1."""
    first, second = draft.pools
    return share_won(strongest_three(first), strongest_three(second))


def _choose(node: _Node, draft: Draft) -> Turn:
    """Choose a turn that was never tried, else the one with the highest upper confidence bound."""
    if node.turns is None:
        node.turns = draft.turns()
    children, reached, best = node.children, log(node.times + 1), -1.0
    chosen: Turn = None
    for turn in node.turns[: _FIRST_TURNS + isqrt(node.times)]:
        child = children.get(turn)
        if child is None:
            return turn
        bound = child.worth / child.times + _EXPLORATION * sqrt(reached / child.times)
        if bound > best:
            chosen, best = turn, bound
    return chosen


def _add_noise(draft: Draft, seed: bytes) -> None:
    """Change what the seats want a little, so that no two playouts are the same."""
    first, second = draft.wants
    noise = shake_256(seed).digest(len(first) + len(second))
    draft.wants = [
        [want + (byte >> _NOISE_SHIFT) for want, byte in zip(wants, some, strict=True)]
        for wants, some in ((first, noise[: len(first)]), (second, noise[len(first) :]))
    ]
