"""Prizes as bits: what hauls score, and which prizes a seat wants.

A bit is a place in the middle of a new hand. Which colour is left out does not matter to what a haul scores.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pbem.games.martian_trickery.position import TRICKS, Terms
from pbem.games.martian_trickery.score import PENALTY, hand_score

if TYPE_CHECKING:
    from collections.abc import Iterable

ALL_PRIZES = (1 << TRICKS) - 1
_LEFT_OUT = {"treehouse": "B", "two-stash": None}


@cache
def score_table(kind: str) -> tuple[int, ...]:
    """Return the score of every haul; the kind is the option `prizes`."""
    names = Terms(3, kind, _LEFT_OUT[kind], 1).middle
    return tuple(
        hand_score([name for at, name in enumerate(names) if haul >> at & 1], kind) for haul in range(ALL_PRIZES + 1)
    )


def place(prizes: Iterable[str], terms: Terms, free: int = ALL_PRIZES) -> int:
    """Return the bits of some prizes, each the first of its name that is free."""
    placed = 0
    for prize in prizes:
        left = free & ~placed
        placed |= next(1 << at for at, name in enumerate(terms.middle) if name == prize and left >> at & 1)
    return placed


@lru_cache(maxsize=1 << 16)
def extremes(haul: int, middle: int, kind: str) -> tuple[int, int]:
    """Return the prizes of the middle that raise the score of a haul most and least."""
    table = score_table(kind)
    choice = [1 << at for at in range(TRICKS) if middle >> at & 1]
    return max(choice, key=lambda prize: table[haul | prize]), min(choice, key=lambda prize: table[haul | prize])


@lru_cache(maxsize=1 << 14)
def unlike(middle: int, won: tuple[int, ...], terms: Terms) -> dict[str, int]:
    """Return the prizes of the middle by their names, one of each kind that is worth the same to everybody.

    Two prizes are of a kind if their colours differ by name alone, each seat having won the same of both, and their
    sizes do so too.
    """
    owners = [next((seat for seat, haul in enumerate(won) if haul >> at & 1), None) for at in range(TRICKS)]
    owners_of: dict[str, list[int | None]] = {}
    for name, owner in zip(terms.middle, owners, strict=True):
        for part in name:
            owners_of.setdefault(part, []).append(owner)
    first: dict[object, tuple[str, int]] = {}
    for at, name in enumerate(terms.middle):
        if middle >> at & 1:
            colour, size = name[0], name[1]
            kind = colour == PENALTY, tuple(owners_of[colour]), tuple(owners_of[size])
            first.setdefault(kind, (name, 1 << at))
    return dict(first.values())
