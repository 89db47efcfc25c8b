"""Repair of sowings of Minimax that cannot be made, which keeps their drops as far as possible."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.minimax.advice import promising_sowings
from pbem.games.minimax.words import format_drop
from pbem.games.nearness import MAX_NEAREST, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.games.minimax.sowing import Sowing
    from pbem.games.minimax.words import Drops

_Partial: TypeAlias = "tuple[float, tuple[str, ...], Sowing]"
"""Partial sowing: its difference from what was typed, its start and drops, and the sowing itself."""

_BEAM_WIDTH = 12
"""Number of partial sowings that are followed after each drop."""


def repair_sowing(starts: Iterable[tuple[str, Sowing]], drops: Drops) -> list[tuple[str, ...]]:
    """Return the sowings most like some drops that begin as given, each as its start and its drops."""
    heads: list[_Partial] = [(0.0, (start,), begun) for start, begun in starts]
    for piece, onto in drops:
        typed = format_drop(piece, onto)
        grown = (longer for head in heads for longer in _extend(head, typed))
        heads = nsmallest(_BEAM_WIDTH, grown, key=lambda head: head[0])
    found: dict[tuple[str, ...], None] = {}
    for _, chosen, sowing in heads:
        if len(found) < MAX_NEAREST:
            found |= dict.fromkeys(_complete(chosen, sowing))
    return list(found)[:MAX_NEAREST]


def _extend(head: _Partial, typed: str) -> Iterator[_Partial]:
    """Yield the head with each possible drop, at a cost if unlike the typed one; surplus drops are left out."""
    cost, chosen, sowing = head
    if not sowing.hand:
        yield head
    for drop in sowing.drops():
        yield cost + 1 - likeness(drop, typed), (*chosen, drop), sowing.after(drop)


def _complete(chosen: tuple[str, ...], sowing: Sowing) -> Iterator[tuple[str, ...]]:
    """Complete a sowing with the drops that look best."""
    if not sowing.hand:
        yield chosen
    for _, *drops in promising_sowings([("", sowing)], MAX_NEAREST):
        yield (*chosen, *drops)
