"""Trees of three pyramids and the stashes they are built from, as in Martian Whist.

A stash is a whole number of 4-bit counts, one for each pyramid of a Treehouse set and after them one for each size,
so that taking and building are single sums. A set of trees is a whole number of one byte for each of the 125, 0 or 1,
so that unions and intersections are single operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, compress, product
from typing import TYPE_CHECKING

from pbem.games.game import Move
from pbem.games.pyramids import COLOURS, SIZES, TREEHOUSE, Stack, format_stack

if TYPE_CHECKING:
    from collections.abc import Iterable

COLOUR_RANK = {colour: strength for strength, colour in enumerate("BGYRK")}
"""Rank of each colour (Resolution): black over red, yellow, green, blue."""

_COUNT_BITS = 4
_COUNT_MASK = (1 << _COUNT_BITS) - 1
_BYTE_BITS = 8
_BYTE_VALUES = 1 << _BYTE_BITS
_BIT_OFFSET = {name: _COUNT_BITS * at for at, name in enumerate(TREEHOUSE + tuple(SIZES))}

PYRAMID_UNIT: dict[str, int] = {
    pyramid: (1 << _BIT_OFFSET[pyramid]) + (1 << _BIT_OFFSET[pyramid[1]]) for pyramid in TREEHOUSE
}
"""What one pyramid adds to a stash."""

_STACKS: list[Stack] = [(large + "3", medium + "2", small + "1") for large, medium, small in product(COLOURS, repeat=3)]
_TREE_SET = {stack: 1 << _BYTE_BITS * at for at, stack in enumerate(_STACKS)}
"""Set of each tree alone."""


@dataclass(frozen=True, slots=True)
class Tree:
    """One of the 125 trees, with all that a trick needs of it."""

    move: Move
    stack: Stack
    units: int
    """What its pyramids take from a stash."""
    alone: int
    """Set of this tree alone."""
    alike: int
    """Set of all trees that share a colour with it."""
    solid: bool


def _tree(stack: Stack) -> Tree:
    colours = {pyramid[0] for pyramid in stack}
    return Tree(
        move=Move(format_stack(stack)),
        stack=stack,
        units=pack(stack),
        alone=_TREE_SET[stack],
        alike=sum(alone for other, alone in _TREE_SET.items() if any(pyramid[0] in colours for pyramid in other)),
        solid=len(colours) == 1,
    )


def pack(pyramids: Iterable[str]) -> int:
    """Return the stash of some pyramids."""
    return sum(PYRAMID_UNIT[pyramid] for pyramid in pyramids)


TREES: dict[str, Tree] = {tree.move: tree for tree in map(_tree, _STACKS)}
"""Every tree by its canonical text."""
_MOVES = [tree.move for tree in TREES.values()]


def count(stash: int, name: str) -> int:
    """Count a pyramid (`R3`) or a size (`3`) in a stash."""
    return stash >> _BIT_OFFSET[name] & _COUNT_MASK


def unpack(stash: int) -> list[str]:
    """List the pyramids of a stash by colour, then size."""
    return [pyramid for pyramid in TREEHOUSE for _ in range(count(stash, pyramid))]


def room_by_height(stash: int, limit: int) -> bytes:
    """Return for trees of 0 to 3 pyramids whether a stash with a limit for each size may take their top.

    The height of a tree determines the size of its top: one pyramid is a large, two a medium, three a small. One byte
    for each height, 0 or 1, as `bytes.translate` takes them.
    """
    return _room(stash >> _BIT_OFFSET[SIZES[0]], limit)


@cache
def _room(sizes: int, limit: int) -> bytes:
    small, medium, large = (sizes >> _COUNT_BITS * at & _COUNT_MASK for at in range(len(SIZES)))
    return bytes((False, large < limit, medium < limit, small < limit)).ljust(_BYTE_VALUES, b"\0")


def _mask(pyramids: Iterable[str]) -> int:
    return sum(1 << _BIT_OFFSET[pyramid] for pyramid in pyramids)


_SMALLS, _MEDIUMS, _LARGES = (_mask(colour + size for colour in COLOURS) for size in SIZES)
_TREES_WITH: dict[int, int] = {
    _mask(held): sum(alone for stack, alone in _TREE_SET.items() if not {*held}.isdisjoint(stack))
    for size in SIZES
    for number in range(len(COLOURS) + 1)
    for held in combinations([colour + size for colour in COLOURS], number)
}
"""Set of the trees that have one of some pyramids of one size, by a number with a bit for each of those."""


def playable(stash: int, led: Tree | None) -> int:
    """Return the set of trees that may be presented from a stash, to lead or to answer a tree (Legality)."""
    held = stash | stash >> 1 | stash >> 2 | stash >> 3
    trees = _TREES_WITH[held & _LARGES] & _TREES_WITH[held & _MEDIUMS] & _TREES_WITH[held & _SMALLS]
    # Any pyramid in a stash fits into a tree: if it has one of a colour led, a tree shares that colour.
    return (trees & led.alike or trees) if led else trees


def tree_moves(trees: int) -> list[Move]:
    """List the moves of a set of trees in their order."""
    return list(compress(_MOVES, trees.to_bytes(len(_MOVES), "little")))


@cache
def follower_wins(led: Move, followed: Move) -> bool:
    """Return whether the follower wins a trick (Resolution)."""
    leader, follower = TREES[led], TREES[followed]
    if leader.solid != follower.solid:
        return follower.solid
    pairs = [(COLOUR_RANK[a[0]], COLOUR_RANK[b[0]]) for a, b in zip(leader.stack, follower.stack, strict=True)]
    return sum(b > a for a, b in pairs) > sum(a > b for a, b in pairs)


def score(won: int) -> int:
    """Score the pyramids of the trees won, rebuilt into as many solid trees as possible (End and result)."""
    solid = sum(min(count(won, colour + size) for size in SIZES) for colour in COLOURS)
    return 2 * solid + count(won, SIZES[0])


def strength(move: Move) -> int:
    """Return the strength of a tree by its colours, any solid one above all mixed ones."""
    tree = TREES[move]
    return sum(COLOUR_RANK[pyramid[0]] for pyramid in tree.stack) + (len(SIZES) * len(COLOURS) if tree.solid else 0)


def winning_answers(move: Move, stash: int) -> int:
    """Count the answers from a stash that would beat this lead."""
    return sum(follower_wins(move, answer) for answer in tree_moves(playable(stash, TREES[move])))


def pyramid_worth(stash: int, pyramid: str) -> int:
    """Return what a pyramid is worth to a stash: by its colour's rank, and by its part in trees of one colour."""
    here = count(stash, pyramid)
    return COLOUR_RANK[pyramid[0]] + 2 * sum(count(stash, pyramid[0] + size) > here for size in SIZES)
