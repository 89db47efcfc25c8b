"""Pools of cards as numbers, their three strongest hands found fast, and how two pools compare.

The hands of a pool are taken one after the other, the strongest first. That is not always the best layout, but nearly,
and it takes microseconds. Kickers are neglected.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.cards import DECK, RANKS
from pbem.games.poker import FULL_HAND

if TYPE_CHECKING:
    from collections.abc import Iterable

Pool: TypeAlias = int
"""Cards as bits, in the order of a fresh deck: thirteen ranks from the two to the ace, for each suit."""
Ranks: TypeAlias = int
"""Ranks as bits, the two being the lowest."""
Strengths: TypeAlias = tuple[int, int, int]
"""Strengths of three hands of a pool, in the order in which they were taken; 0 for no cards."""

CARD_BITS = {card: 1 << number for number, card in enumerate(DECK)}

_WIDTH = len(RANKS)
_SUITS = tuple(range(0, len(DECK), _WIDTH))
"""Place of each suit's two in a pool."""
_EVERY_SUIT = sum(1 << at for at in _SUITS)
_ALL_RANKS = (1 << _WIDTH) - 1
_RUN = (1 << FULL_HAND) - 1
_LOW_RUN = _RUN >> 1
"""What decides in a straight from the ace to the five: not its ace."""
_WHEEL = _LOW_RUN | 1 << _WIDTH - 1

_HIGH_CARD, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _HOUSE, _QUADS, _STRAIGHT_FLUSH = (
    level << _WIDTH for level in range(1, 10)
)
"""Strengths of the levels, to which the ranks that decide are added; a royal flush is the highest straight flush."""


def pool_of(cards: Iterable[str]) -> Pool:
    """Return cards as a pool."""
    return sum(map(CARD_BITS.__getitem__, cards))


def strongest_three(pool: Pool) -> Strengths:
    """Return the strengths of three hands of a pool, each the strongest that the cards left make."""
    first, pool = _strongest(pool)
    second, pool = _strongest(pool)
    return first, second, _strongest(pool)[0]


def share_won(own: Strengths, other: Strengths) -> float:
    """Return the share of the ways to pair the hands of two pools in which the first wins two or more."""
    a, b, c = own
    d, e, f = other
    return _SHARES[a > d, a > e, a > f, b > d, b > e, b > f, c > d, c > e, c > f]


def _strongest(pool: Pool) -> tuple[int, Pool]:
    """Return the strength of the strongest hand, and the cards that are left without it."""
    a, b, c, d = suits = pool & _ALL_RANKS, pool >> 13 & _ALL_RANKS, pool >> 26 & _ALL_RANKS, pool >> 39
    one, other, ab, cd = a | b, c | d, a & b, c & d
    trips, pairs = ab & other | cd & one, ab | cd | one & other
    core = _top(trips)
    if run := max(_RUNS[a], _RUNS[b], _RUNS[c], _RUNS[d]):
        at = [_RUNS[ranks] for ranks in suits].index(run)
        strength, taken = _STRAIGHT_FLUSH + run, _run_ranks(run) << _SUITS[at]
    elif quads := ab & cd:
        core = _top(quads)
        strength, taken = _QUADS + core, core * _EVERY_SUIT
    elif core and (sides := pairs ^ core):
        core |= _top(sides & ~trips or sides)
        strength, taken = _HOUSE + core, core * _EVERY_SUIT
    elif five := max(_FIVES[a], _FIVES[b], _FIVES[c], _FIVES[d]):
        at = [_FIVES[ranks] for ranks in suits].index(five)
        strength, taken = _FLUSH + five, five << _SUITS[at]
    elif run := _RUNS[one | other]:
        strength, taken = _STRAIGHT + run, _one_of_each(pool, _run_ranks(run))
    else:
        level, core = _without_full_hand(core, pairs, one | other)
        strength, taken = level + core, core * _EVERY_SUIT
    return strength, pool & ~taken


def _without_full_hand(trips: Ranks, pairs: Ranks, ranks: Ranks) -> tuple[int, Ranks]:
    """Return the level that fewer than five cards make, and their ranks."""
    if trips:
        return _TRIPS, trips
    if pairs:
        first = _top(pairs)
        second = _top(pairs ^ first)
        return _TWO_PAIR if second else _PAIR, first | second
    return _HIGH_CARD if ranks else 0, _FIVES[ranks] or ranks


def _top(ranks: Ranks) -> Ranks:
    return 1 << ranks.bit_length() - 1 if ranks else 0


def _run_ranks(run: Ranks) -> Ranks:
    return _WHEEL if run == _LOW_RUN else run


def _one_of_each(pool: Pool, ranks: Ranks) -> Pool:
    """Return one card of each rank."""
    taken = 0
    for at in _SUITS:
        found = pool >> at & ranks
        taken, ranks = taken | found << at, ranks ^ found
    return taken


# -- lookup tables -----------------------------------------------------------------------------------


def _highest_run(ranks: Ranks) -> Ranks:
    runs = (_RUN << low for low in range(_WIDTH - FULL_HAND, -1, -1))
    return next((run for run in runs if ranks & run == run), _LOW_RUN if ranks & _WHEEL == _WHEEL else 0)


def _five_highest(ranks: Ranks) -> Ranks:
    if ranks.bit_count() < FULL_HAND:
        return 0
    while ranks.bit_count() > FULL_HAND:
        ranks &= ranks - 1
    return ranks


_RUNS = tuple(map(_highest_run, range(1 << _WIDTH)))
"""Ranks that decide in the highest straight of each set of ranks, or 0."""
_FIVES = tuple(map(_five_highest, range(1 << _WIDTH)))
"""Five highest of each set of ranks, or 0 if there are fewer."""


_MOST_HANDS = 2


def _share(wins: tuple[bool, ...]) -> float:
    won = [sum(wins[3 * own + other] for own, other in enumerate(order)) for order in permutations(range(3))]
    return sum(hands >= _MOST_HANDS for hands in won) / len(won)


_SHARES = {wins: _share(wins) for wins in product((False, True), repeat=9)}
