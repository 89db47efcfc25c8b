"""Deals of cards that a seat cannot see: each that fits what is known is equally likely to be drawn."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from math import comb
from operator import le, sub
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games import Stream

Numbers: TypeAlias = tuple[int, ...]
"""A number for each seat."""
Takers: TypeAlias = tuple[bool, ...]
"""For each seat, whether it may hold a card."""
Sizes: TypeAlias = tuple[tuple[int, Takers], ...]
"""Number of cards and takers of each group."""

_WORD_BITS = 32


@dataclass(frozen=True, slots=True)
class Unseen:
    """Cards, in groups that have the same takers, and how many of them each seat holds."""

    groups: tuple[tuple[int, ...], ...]
    sizes: Sizes
    room: Numbers


def group(cards: Iterable[tuple[int, Takers]], room: Numbers) -> Unseen:
    """Return cards in as few groups as they have different takers."""
    joined: dict[Takers, list[int]] = {}
    for card, takers in cards:
        joined.setdefault(takers, []).append(card)
    # With the fewest takers first, there are the fewest ways to count.
    ordered = sorted(joined, key=lambda takers: (sum(takers), takers))
    return Unseen(
        tuple(tuple(joined[takers]) for takers in ordered),
        tuple((len(joined[takers]), takers) for takers in ordered),
        room,
    )


def count(sizes: Sizes, room: Numbers) -> int:
    """Return the number of deals of groups of some sizes to seats that hold so many cards."""
    if not sizes:
        return 1
    _, counts = _shares(sizes, room)
    return counts[-1] if counts else 0


def draw(unseen: Unseen, stream: Stream) -> list[int]:
    """Draw a deal: the sum of each seat's cards."""
    hands, room = [0] * len(unseen.room), unseen.room
    for at, cards in enumerate(unseen.groups):
        shares, counts = _shares(unseen.sizes[at:], room)
        share = shares[bisect_right(counts, draw_below(stream, counts[-1]))] if len(shares) > 1 else shares[0]
        shuffled, dealt = stream.shuffled(cards), 0
        for seat, number in enumerate(share):
            hands[seat] += sum(shuffled[dealt : dealt + number])
            dealt += number
        room = tuple(map(sub, room, share))
    return hands


def draw_below(stream: Stream, n: int) -> int:
    """Draw a number from 0 to n - 1, all equally likely, for any n."""
    if n <= 1 << _WORD_BITS:
        return stream.below(n)
    words = -(n.bit_length() // -_WORD_BITS)
    # The numbers after the last full multiple of n would favour some.
    full = (1 << _WORD_BITS * words) // n * n
    while True:
        number = 0
        for _ in range(words):
            number = number << _WORD_BITS | stream.below(1 << _WORD_BITS)
        if number < full:
            return number % n


@lru_cache(maxsize=1 << 12)
def _shares(sizes: Sizes, room: Numbers) -> tuple[tuple[Numbers, ...], Numbers]:
    """Return the ways to share out the first group, and the number of deals with each and those before it."""
    (size, takers), *others = sizes
    bounds = [min(size, free) if takes else 0 for free, takes in zip(room, takers, strict=True)]
    # The last group fills all the room that is left.
    tried = product(*(range(bound + 1) for bound in bounds)) if others else iter((room,))
    shares, deals = list[Numbers](), list[int]()
    for share in tried:
        if sum(share) == size and all(map(le, share, bounds)):
            left = tuple(map(sub, room, share))
            if after := count(tuple(others), left):
                shares.append(share)
                deals.append(_ways(share) * after)
    return tuple(shares), tuple(accumulate(deals))


def _ways(share: Numbers) -> int:
    """Return in how many ways cards can be shared out in these numbers."""
    ways, left = 1, sum(share)
    for number in share:
        ways *= comb(left, number)
        left -= number
    return ways
