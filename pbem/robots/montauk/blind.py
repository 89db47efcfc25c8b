"""The blind cards of a trick as a game of their own, in which each seat expects the other to choose well.

Fictitious play: again and again each seat takes the card that is best against all that the other has done so far.
Since nobody knows the other's hand, what is taken is a rating of all kinds, of which each hand plays the highest.
"""

from __future__ import annotations

from functools import cache
from math import comb
from operator import mul
from typing import TYPE_CHECKING, TypeAlias

from pbem.robots.montauk.kinds import KINDS, TRICKS
from pbem.robots.montauk.likely import gains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import Stream
    from pbem.robots.montauk.kinds import Kind
    from pbem.robots.montauk.known import KnownRound

Rating: TypeAlias = "Sequence[float]"
"""Value of each kind of card."""
Shares: TypeAlias = "Sequence[float]"
"""How often each kind of card is played, 1 in all."""

_ANSWERS = 60
"""Answers of each seat to what the other has done so far."""
_FIRST_ANSWERS = 20
"""Answers that still depend much on where fictitious play began."""


def likely_rating(known: KnownRound) -> Rating:
    """Return the rating of the other seat's cards if it looks no further than the trick."""
    return gains(_counts(known), known.other_burden, known.burden, leads=not known.leads)


def good_ratings(known: KnownRound, playouts: int, stream: Stream) -> list[Rating]:
    """Return ratings by which the other seat does well if it takes each as often."""
    counts, results = _counts(known), _results(known, playouts, stream)
    losses = [[-result for result in column] for column in zip(*results, strict=True)]
    mine = highest_shares(gains(counts, known.burden, known.other_burden, leads=known.leads), counts, known.held)
    theirs = highest_shares(likely_rating(known), counts, known.held)
    ratings: list[Rating] = []
    for number in range(_ANSWERS):
        my_rating, their_rating = _rate(results, theirs), _rate(losses, mine)
        mine = _mix(mine, highest_shares(my_rating, counts, known.held), 1 / (number + 2))
        theirs = _mix(theirs, highest_shares(their_rating, counts, known.held), 1 / (number + 2))
        ratings.append(their_rating)
    return ratings[_FIRST_ANSWERS:]


def highest_shares(rating: Rating, counts: Sequence[int], held: int) -> Shares:
    """Return how often each kind is the highest of a hand, for hands from cards counted by kind."""
    none_held = _chances_of_none(sum(counts), held)
    shares = [0.0] * len(KINDS)
    higher = 0
    for kind in sorted(KINDS, key=rating.__getitem__, reverse=True):
        with_it = higher + counts[kind]
        shares[kind] = none_held[higher] - none_held[with_it]
        higher = with_it
    return shares


def _counts(known: KnownRound) -> list[int]:
    """Count the cards of each kind that have not been seen by both seats."""
    cards = (*known.mine, *known.unseen)
    return [cards.count(kind) for kind in KINDS]


def _results(known: KnownRound, playouts: int, stream: Stream) -> list[list[float]]:
    """Return what each own kind comes to against each of the other seat's if nobody knows any hand.

    Many pairs of cards have the same effects, which are tried once for all of them.
    """
    cards = (*known.mine, *known.unseen)
    kinds = sorted({*cards})
    pairs: dict[object, tuple[Kind, Kind]] = {}
    for mine in kinds:
        for theirs in kinds:
            pairs.setdefault(_effects(known, mine, theirs), (mine, theirs))
    totals = dict.fromkeys(pairs, 0.0)
    kept = known.held - 1
    times = max(1, playouts // len(pairs))
    for _ in range(times):
        shuffled = stream.shuffled(cards)
        deal = shuffled[:kept], shuffled[kept : 2 * kept], shuffled[2 * kept :]
        for effects, (mine, theirs) in pairs.items():
            totals[effects] += known.result(deal, mine, theirs)
    return [[totals.get(_effects(known, mine, theirs), 0.0) / times for theirs in KINDS] for mine in KINDS]


def _effects(known: KnownRound, mine: Kind, theirs: Kind) -> object:
    return TRICKS[mine][theirs] if known.leads else TRICKS[theirs][mine]


def _rate(results: Sequence[Sequence[float]], met: Shares) -> Rating:
    return [sum(map(mul, row, met)) for row in results]


def _mix(before: Shares, added: Shares, weight: float) -> Shares:
    return [old + (new - old) * weight for old, new in zip(before, added, strict=True)]


@cache
def _chances_of_none(cards: int, held: int) -> tuple[float, ...]:
    """Return how likely a hand has none of the first cards, for each number of them."""
    return tuple(comb(cards - first, held) / comb(cards, held) for first in range(cards + 1))
