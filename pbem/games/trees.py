"""Trees of three pyramids and the stashes they are built from, as Martian Whist plays with them.

A stash is a whole number of 4-bit counts, one for each pyramid of a Treehouse set and after them one for
each size, so that taking, testing and building are single sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

from pbem.games.game import Move
from pbem.games.pyramids import COLOURS, SIZES, TREEHOUSE, Stack, written

if TYPE_CHECKING:
    from collections.abc import Iterable

STRENGTH = {colour: strength for strength, colour in enumerate("BGYRK")}
"""How high each colour ranks (Resolution): black over red, yellow, green, blue."""

_BITS = 4
_COUNT = (1 << _BITS) - 1
_BYTES = 256
_PLACE = {name: _BITS * at for at, name in enumerate(TREEHOUSE + tuple(SIZES))}

UNIT: dict[str, int] = {pyramid: (1 << _PLACE[pyramid]) + (1 << _PLACE[pyramid[1]]) for pyramid in TREEHOUSE}
"""What one pyramid adds to a stash."""

_KINDS = sum(1 << _PLACE[pyramid] for pyramid in TREEHOUSE)
_OF_COLOUR = {colour: sum(1 << _PLACE[pyramid] for pyramid in TREEHOUSE if pyramid[0] == colour) for colour in COLOURS}


@dataclass(frozen=True, slots=True)
class Tree:
    """Describes one of the 125 trees, with all that a trick asks about it."""

    move: Move
    stack: Stack
    units: int
    """What its pyramids take from a stash."""
    kinds: int
    """Its pyramids, as `kinds` marks them."""
    alike: int
    """All pyramids that share a colour with it, as `kinds` marks them."""
    solid: bool


def _tree(large: str, medium: str, small: str) -> Tree:
    stack = (large + "3", medium + "2", small + "1")
    colours = {large, medium, small}
    return Tree(
        move=Move(written(stack)),
        stack=stack,
        units=sum(UNIT[pyramid] for pyramid in stack),
        kinds=sum(1 << _PLACE[pyramid] for pyramid in stack),
        alike=sum(_OF_COLOUR[colour] for colour in colours),
        solid=len(colours) == 1,
    )


TREES: dict[str, Tree] = {tree.move: tree for tree in (_tree(*colours) for colours in product(COLOURS, repeat=3))}
"""Every tree by its canonical text."""
_PARTS = [(tree.move, tree.kinds) for tree in TREES.values()]


def packed(pyramids: Iterable[str]) -> int:
    """Put pyramids into a stash."""
    return sum(UNIT[pyramid] for pyramid in pyramids)


def count(stash: int, name: str) -> int:
    """Count a pyramid (`R3`) or a size (`3`) in a stash."""
    return stash >> _PLACE[name] & _COUNT


def laid_out(stash: int) -> list[str]:
    """List the pyramids of a stash by colour, then size."""
    return [pyramid for pyramid in TREEHOUSE for _ in range(count(stash, pyramid))]


def room_by_height(stash: int, limit: int) -> bytes:
    """Tell for trees of none to three pyramids whether a stash with a limit for each size may have their top.

    What is left of a tree tells the size of its top: one pyramid is a large, two a medium, three a small.
    One byte for each height, 0 or 1, as `bytes.translate` takes them.
    """
    return _room(stash >> _PLACE[SIZES[0]], limit)


@cache
def _room(sizes: int, limit: int) -> bytes:
    small, medium, large = (sizes >> _BITS * at & _COUNT for at in range(len(SIZES)))
    return bytes((False, large < limit, medium < limit, small < limit)).ljust(_BYTES, b"\0")


def kinds(stash: int) -> int:
    """Mark with one bit each the pyramids of which a stash has any."""
    return (stash | stash >> 1 | stash >> 2 | stash >> 3) & _KINDS


def due(stash: int, led: Tree | None) -> int:
    """Mark the pyramids of which a follower must play one; 0 where any tree will do (Legality)."""
    return kinds(stash) & led.alike if led else 0


@lru_cache(maxsize=1 << 14)
def buildable(marked: int, needed: int) -> tuple[Move, ...]:
    """List the trees of the marked pyramids which have one of the needed ones, or all if none is needed."""
    return tuple([move for move, parts in _standing(marked) if not needed or parts & needed])


@lru_cache(maxsize=1 << 12)
def _standing(marked: int) -> list[tuple[Move, int]]:
    absent = _KINDS & ~marked
    return [(move, parts) for move, parts in _PARTS if not parts & absent]


@cache
def follower_wins(led: Move, followed: Move) -> bool:
    """Decide a trick (Resolution)."""
    leader, follower = TREES[led], TREES[followed]
    if leader.solid != follower.solid:
        return follower.solid
    pairs = [(STRENGTH[a[0]], STRENGTH[b[0]]) for a, b in zip(leader.stack, follower.stack, strict=True)]
    return sum(b > a for a, b in pairs) > sum(a > b for a, b in pairs)


def score(won: int) -> int:
    """Score the pyramids of the trees won, rebuilt into as many solid trees as there can be (End and result)."""
    solid = sum(min(count(won, colour + size) for size in SIZES) for colour in COLOURS)
    return 2 * solid + count(won, SIZES[0])


def strength(move: Move) -> int:
    """Rate a tree by its colours, any solid one above all mixed ones."""
    tree = TREES[move]
    return sum(STRENGTH[pyramid[0]] for pyramid in tree.stack) + (len(SIZES) * len(COLOURS) if tree.solid else 0)


def risk(move: Move, stash: int) -> int:
    """Count the answers from a stash that would beat this lead."""
    answers = buildable(kinds(stash), due(stash, TREES[move]))
    return sum(follower_wins(move, answer) for answer in answers)


def worth(stash: int, pyramid: str) -> int:
    """Rate a pyramid for a stash: by its colour's rank, and by its part in trees of one colour."""
    here = count(stash, pyramid)
    return STRENGTH[pyramid[0]] + 2 * sum(count(stash, pyramid[0] + size) > here for size in SIZES)
