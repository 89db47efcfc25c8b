"""Repair of sowings of Minimax that cannot be made, which keeps their drops as far as possible."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.minimax.advice import promising
from pbem.games.minimax.words import written
from pbem.games.nearness import NAMED, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.games.minimax.sowing import Sowing
    from pbem.games.minimax.words import Drops

_Head: TypeAlias = "tuple[float, tuple[str, ...], Sowing]"
"""Partial sowing: its difference from what was typed, its start and drops, and the sowing itself."""

_HEADS = 12
"""Number of partial sowings that are followed after each drop."""


def repaired(starts: Iterable[tuple[str, Sowing]], drops: Drops) -> list[tuple[str, ...]]:
    """Return the sowings most like some drops that begin as given, each as its start and its drops."""
    heads: list[_Head] = [(0.0, (start,), begun) for start, begun in starts]
    for piece, onto in drops:
        typed = written(piece, onto)
        grown = (longer for head in heads for longer in _longer(head, typed))
        heads = nsmallest(_HEADS, grown, key=lambda head: head[0])
    found: dict[tuple[str, ...], None] = {}
    for _, chosen, sowing in heads:
        if len(found) < NAMED:
            found |= dict.fromkeys(_completed(chosen, sowing))
    return list(found)[:NAMED]


def _longer(head: _Head, typed: str) -> Iterator[_Head]:
    """Yield the head with each possible drop, at a cost if unlike the typed one; surplus drops are left out."""
    cost, chosen, sowing = head
    if not sowing.hand:
        yield head
    for drop in sowing.drops():
        yield cost + 1 - likeness(drop, typed), (*chosen, drop), sowing.after(drop)


def _completed(chosen: tuple[str, ...], sowing: Sowing) -> Iterator[tuple[str, ...]]:
    """Complete a sowing with the drops that look best."""
    if not sowing.hand:
        yield chosen
    for _, *drops in promising([("", sowing)], NAMED):
        yield (*chosen, *drops)
