"""Suggested sowings of Minimax: a narrow search through the drops, and an estimate of their worth."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from pbem.games.minimax.sowing import ANY_CARD, CARDS, STACK_POINTS, TREES, VAULT, Sowing

if TYPE_CHECKING:
    from collections.abc import Iterable

BEAM_WIDTH = 30
"""Number of partial sowings of a card that are followed after each drop."""

_TURNS_AHEAD = 10
"""Number of turns counted ahead."""
_CLEARED_VALUE = 10.0
_UNFINISHED_VALUE = 2.0
_ONE_COLOUR_POINTS = 7


def _stack_value(stack: str) -> float:
    """Return the value of a stack in the vault: what it scores, and what it may grow into."""
    sizes = stack[1::3]
    hope = {"3": 0.5, "32": 1.5, "2": 0.1}.get(sizes, 0.0)
    one_colour = len(set(stack[::3])) == 1
    return STACK_POINTS[stack] + (hope * 1.5 if one_colour and len(sizes) > 1 else hope)


_STACK_VALUE = {stack: _stack_value(stack) for stack in STACK_POINTS}
_HEIGHT = {stack: stack.count("/") + 1 for stack in STACK_POINTS}
_FRESH_VALUE = {tree: 1.0 if STACK_POINTS[tree] == _ONE_COLOUR_POINTS else 0.5 for tree in TREES}


class RatedSowing(NamedTuple):
    """A complete sowing, and how good it looks."""

    value: float
    """What the vault is worth, with what is expected to come."""
    sowing: Sowing
    chosen: tuple[str, ...]
    """Its start and its drops."""


def promising_sowings(starts: Iterable[tuple[str, Sowing]], most: int) -> list[tuple[str, ...]]:
    """Return good sowings that begin as given, best first, each as its start and its drops."""
    return [rated.chosen for rated in rated_sowings(starts, most)]


def rated_sowings(starts: Iterable[tuple[str, Sowing]], most: int, beam_width: int = BEAM_WIDTH) -> list[RatedSowing]:
    """Return good sowings that begin as given, best first, of those that a beam of some width finds."""
    found: dict[Sowing, tuple[str, ...]] = {}
    for start, begun in starts:
        heads: dict[Sowing, tuple[str, ...]] = {begun: (start,)}
        while heads:
            grown: dict[Sowing, tuple[str, ...]] = {}
            for sowing, chosen in heads.items():
                for drop in sowing.drops():
                    grown.setdefault(sowing.after(drop), (*chosen, drop))
            found |= {sowing: chosen for sowing, chosen in grown.items() if not sowing.hand}
            heads = {sowing: grown[sowing] for sowing in nlargest(beam_width, grown, key=_immediate_value)}
    rated = (RatedSowing(_immediate_value(one) + _outlook(one), one, chosen) for one, chosen in found.items())
    return nlargest(most, rated, key=attrgetter("value"))


def _immediate_value(sowing: Sowing) -> float:
    vault = sum(_STACK_VALUE[stack] for stack in sowing.wheel[VAULT])
    return vault + sum(_FRESH_VALUE[tree] for at, tree in sowing.trees if at != VAULT)


def _outlook(sowing: Sowing) -> float:
    """Estimate how the game goes on, by how many pyramids will reach the vault."""
    counts = tuple(sum(map(_HEIGHT.__getitem__, stacks)) for stacks in sowing.wheel)
    return _best_outlook(counts, sowing.next(), frozenset(at for at, _ in sowing.trees), _TURNS_AHEAD)


@lru_cache(maxsize=1 << 14)
def _best_outlook(counts: tuple[int, ...], card: str | None, trees: frozenset[int], turns: int) -> float:
    """Play the wheel on by numbers alone; `trees` are the cards where a fresh tree may stay whole."""
    if not any(counts[:VAULT]):
        return counts[VAULT] + _CLEARED_VALUE
    if card is None:
        return counts[VAULT]
    if not turns:
        return counts[VAULT] + _UNFINISHED_VALUE
    cards = [at for at in range(VAULT) if counts[at]] if card == ANY_CARD else [CARDS.index(card)]
    after = [_sow_counts(counts, at, None) for at in cards]
    after += [_sow_counts(counts, at, whole) for at in cards if at in trees for whole in range(counts[at] - 2)]
    return max(_best_outlook(*numbers, frozenset(), turns - 1) for numbers in after)


def _sow_counts(counts: tuple[int, ...], card: int, whole: int | None) -> tuple[tuple[int, ...], str | None]:
    """Sow a card by numbers alone; drop number `whole`, from 0, is a whole tree, if there is one."""
    after = list(counts)
    after[card] = 0
    at, before = card, 0
    for drop in range(counts[card] - (0 if whole is None else 2)):
        at = (at + 1) % len(CARDS)
        before = after[at]
        after[at] += 3 if drop == whole else 1
    if at == VAULT:
        return tuple(after), ANY_CARD
    return tuple(after), CARDS[at] if before else None
