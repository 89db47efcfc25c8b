"""Suggested sowings of Minimax: a narrow search through the drops, and an estimate of their worth."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING

from pbem.games.minimax.sowing import ANY, CARDS, TREES, VAULT, WORTH, Sowing

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADS = 30
"""Number of partial sowings of a card that are followed after each drop."""

_AHEAD = 10
"""Number of turns counted ahead."""
_CLEARED = 10.0
_GOING_ON = 2.0
_ONE_COLOUR = 7


def _growing(stack: str) -> float:
    """Return the value of a stack in the vault: what it scores, and what it may grow into."""
    sizes = stack[1::3]
    hope = {"3": 0.5, "32": 1.5, "2": 0.1}.get(sizes, 0.0)
    one_colour = len(set(stack[::3])) == 1
    return WORTH[stack] + (hope * 1.5 if one_colour and len(sizes) > 1 else hope)


_IN_VAULT = {stack: _growing(stack) for stack in WORTH}
_HEIGHT = {stack: stack.count("/") + 1 for stack in WORTH}
_FRESH = {tree: 1.0 if WORTH[tree] == _ONE_COLOUR else 0.5 for tree in TREES}


def promising(starts: Iterable[tuple[str, Sowing]], most: int) -> list[tuple[str, ...]]:
    """Return good sowings that begin as given, best first, each as its start and its drops."""
    found: dict[Sowing, tuple[str, ...]] = {}
    for start, begun in starts:
        heads: dict[Sowing, tuple[str, ...]] = {begun: (start,)}
        while heads:
            grown: dict[Sowing, tuple[str, ...]] = {}
            for sowing, chosen in heads.items():
                for drop in sowing.drops():
                    grown.setdefault(sowing.after(drop), (*chosen, drop))
            found |= {sowing: chosen for sowing, chosen in grown.items() if not sowing.hand}
            heads = {sowing: grown[sowing] for sowing in nlargest(HEADS, grown, key=_promise)}
    best = nlargest(most, found, key=lambda sowing: _promise(sowing) + _outlook(sowing))
    return [found[sowing] for sowing in best]


def _promise(sowing: Sowing) -> float:
    vault = sum(_IN_VAULT[stack] for stack in sowing.wheel[VAULT])
    return vault + sum(_FRESH[tree] for at, tree in sowing.trees if at != VAULT)


def _outlook(sowing: Sowing) -> float:
    """Estimate how the game goes on, by how many pyramids will reach the vault."""
    counts = tuple(sum(map(_HEIGHT.__getitem__, stacks)) for stacks in sowing.wheel)
    return _course(counts, sowing.next(), frozenset(at for at, _ in sowing.trees), _AHEAD)


@lru_cache(maxsize=1 << 14)
def _course(counts: tuple[int, ...], card: str | None, trees: frozenset[int], turns: int) -> float:
    """Play the wheel on by numbers alone; `trees` are the cards where a fresh tree may stay whole."""
    if not any(counts[:VAULT]):
        return counts[VAULT] + _CLEARED
    if card is None:
        return counts[VAULT]
    if not turns:
        return counts[VAULT] + _GOING_ON
    cards = [at for at in range(VAULT) if counts[at]] if card == ANY else [CARDS.index(card)]
    after = [_next(counts, at, None) for at in cards]
    after += [_next(counts, at, whole) for at in cards if at in trees for whole in range(counts[at] - 2)]
    return max(_course(*numbers, frozenset(), turns - 1) for numbers in after)


def _next(counts: tuple[int, ...], card: int, whole: int | None) -> tuple[tuple[int, ...], str | None]:
    """Sow a card by numbers alone; drop number `whole`, from 0, is a whole tree, if there is one."""
    after = list(counts)
    after[card] = 0
    at, before = card, 0
    for drop in range(counts[card] - (0 if whole is None else 2)):
        at = (at + 1) % len(CARDS)
        before = after[at]
        after[at] += 3 if drop == whole else 1
    if at == VAULT:
        return tuple(after), ANY
    return tuple(after), CARDS[at] if before else None
