"""Poker hands of up to five cards: their levels, and which of two is better.

The rules are those of Amazonian Buffet's rulebook, Resolution: a level first, then ranks card by card, then
suits. Short hands have every level whose cards they hold.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from pbem.games.cards import DECK, RANKS, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMPARE_OPTIONS = ("cards", "poker")
"""Ways to compare hands of one level: by single cards, or by what the level counts first, as in poker."""

LEVELS = (
    "empty", "high card", "one pair", "two pair", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush", "royal flush",
)  # fmt: skip
"""Names of the levels, from 0 to 10."""

FULL_HAND = 5
"""Number of cards in a full hand; straights and flushes need as many."""


def strength(hand: Sequence[str], compare: str) -> int:
    """Return the strength of a hand by level and ranks: the greater number wins, and suits decide between equals."""
    try:
        strengths = _STRENGTHS[compare]
    except KeyError:
        strengths = _STRENGTHS[compare] = dict(_iter_strengths(compare))
    return strengths[sum(map(_weight, hand)) & _RANKS_AND_FLUSH]


def level(hand: Sequence[str]) -> int:
    """Return the highest level that a hand fits, 0 to 10."""
    return strength(hand, "cards") >> _HAND_BITS


def contest(a: Sequence[str], b: Sequence[str], compare: str) -> int:
    """Compare two opposing hands: above 0 if the first wins, below 0 if the second does, 0 if both are empty."""
    difference = strength(a, compare) - strength(b, compare)
    if difference:
        return difference
    suits_a, suits_b = _suits(a, compare), _suits(b, compare)
    return (suits_a > suits_b) - (suits_a < suits_b)


# -- comparison --------------------------------------------------------------------------------------

_HIGHEST_FIRST = RANKS[::-1]
_WHEEL = "A5432"
"""Straight in which the ace is low, and so compared last."""

_LEVELS_BY_COUNTS = {
    (): 0, (1,): 1, (1, 1): 1, (2,): 2, (2, 1): 2, (2, 2): 3, (3,): 4, (3, 1): 4, (3, 2): 7, (4,): 8, (4, 1): 8,
}  # fmt: skip
"""Levels by the number of cards of the two most frequent ranks."""
_HIGH_CARD, _STRAIGHT, _FLUSH, _STRAIGHT_FLUSH, _ROYAL_FLUSH = 1, 5, 6, 9, 10


def _comparison_order(ranks: str, compare: str) -> str:
    """Sort ranks, given highest first, in the order in which they are compared."""
    if ranks == _WHEEL:
        return ranks[1:] + ranks[0]
    return "".join(sorted(ranks, key=ranks.count, reverse=True)) if compare == "poker" else ranks


def _suits(hand: Sequence[str], compare: str) -> list[int]:
    """Return the suits in the order in which they are compared, within a rank the highest first."""
    ranks = _comparison_order("".join(sorted((card[0] for card in hand), key=_HIGHEST_FIRST.index)), compare)
    places = [(ranks.index(card[0]), -SUITS.index(card[1])) for card in hand]
    return [-suit for _, suit in sorted(places)]


def _level(ranks: str) -> int:
    """Return the level of ranks, highest first, that are not all of one suit."""
    if ranks == _WHEEL or (len(ranks) == FULL_HAND and ranks in _HIGHEST_FIRST):
        return _STRAIGHT
    held = sorted(map(ranks.count, set(ranks)), reverse=True)
    return _LEVELS_BY_COUNTS[tuple(held[:2])]


def _flush_level(ranks: str) -> int:
    if _level(ranks) == _HIGH_CARD:
        return _FLUSH
    return _ROYAL_FLUSH if ranks in _HIGHEST_FIRST[:FULL_HAND] else _STRAIGHT_FLUSH


# -- lookup tables -----------------------------------------------------------------------------------
# The weights of a hand's cards add up to counts of its ranks (digits of base 5) and, above them, of its suits (six
# bits each, 7 for a card: only five of a suit, 35, set the bit of 32).

_RANK_BITS = 4
_HAND_BITS = _RANK_BITS * FULL_HAND
_RANK_COUNT_BITS = 32

_SUIT_UNITS = [1 << _RANK_COUNT_BITS + 6 * place for place in range(len(SUITS))]
_SUIT_WEIGHTS = {suit: 7 * unit for suit, unit in zip(SUITS, _SUIT_UNITS, strict=True)}
_RANK_WEIGHTS = {rank: (len(SUITS) + 1) ** place for place, rank in enumerate(RANKS)}
_weight = {card: _RANK_WEIGHTS[card[0]] + _SUIT_WEIGHTS[card[1]] for card in DECK}.__getitem__
_FLUSHES = [32 * unit for unit in _SUIT_UNITS]
_RANKS_AND_FLUSH = sum(_FLUSHES) + (1 << _RANK_COUNT_BITS) - 1


def _pack_strength(level: int, ranks: str) -> int:
    """Combine level and ranks into one number; the digit of a missing card is 0, below any rank."""
    value = level
    for rank in ranks:
        value = value << _RANK_BITS | RANKS.index(rank) + 1
    return value << _RANK_BITS * (FULL_HAND - len(ranks))


def _iter_strengths(compare: str) -> Iterator[tuple[int, int]]:
    """Yield the weights of all hands with their strengths."""
    for size in range(FULL_HAND + 1):
        for held in combinations_with_replacement(_HIGHEST_FIRST, size):
            ranks = "".join(held)
            if size < FULL_HAND or len(set(held)) > 1:
                yield (
                    sum(map(_RANK_WEIGHTS.__getitem__, held)),
                    _pack_strength(_level(ranks), _comparison_order(ranks, compare)),
                )
    for held in combinations(_HIGHEST_FIRST, FULL_HAND):
        ranks = "".join(held)
        value = _pack_strength(_flush_level(ranks), _comparison_order(ranks, compare))
        weight = sum(map(_RANK_WEIGHTS.__getitem__, held))
        yield from ((flush + weight, value) for flush in _FLUSHES)


_STRENGTHS: dict[str, dict[int, int]] = {}
"""Strengths of hands by weight, for each way to compare, computed on first use."""
