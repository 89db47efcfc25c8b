"""Outlooks of Martian Trickery: the current hand played on many times, and what its ends are worth in the match."""

from __future__ import annotations

from functools import lru_cache
from hashlib import shake_256
from math import exp, fsum, sqrt
from operator import add
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.martian_trickery.position import TRICKS
from pbem.robots.martian_trickery.playing import SLIP_BITS, play_on
from pbem.robots.martian_trickery.prizes import score_table
from pbem.robots.outlook import Outlook

if TYPE_CHECKING:
    from pbem.robots.martian_trickery.hand import Hand

Numbers: TypeAlias = tuple[float, ...]
"""A number for each seat."""

_SLIP_RARITY = 4
"""A card or a prize slips in one of so many tricks, as a power of two."""
_SLIP_BYTES = TRICKS * SLIP_BITS // 8
_HAND_POINTS = 12.3
"""Points of a hand on average, of all seats together."""
_HAND_DEVIATION = {3: 10.0, 4: 7.8}
"""By the number of seats, standard deviation of the difference of two seats' points in a hand."""
_NORMAL_AS_LOGISTIC = 1.8
"""Factor by which the chance to be ahead comes nearest to a logistic curve."""


def outlook(hand: Hand, playouts: int, seed: bytes) -> Outlook:
    """Return what a hand comes to for the match; later hands come in by their usual points."""
    scores, ends = score_table(hand.terms.prizes), list[tuple[Numbers, Numbers]]()
    for number in range(playouts):
        won = play_on(hand, _slips(seed + number.to_bytes(8, "big")))
        ends.append(_prospect(tuple(map(add, hand.totals, map(scores.__getitem__, won))), hand.hands_left))
    chances, points = (
        tuple(fsum(seat) / playouts for seat in zip(*found, strict=True)) for found in zip(*ends, strict=True)
    )
    return Outlook(chances, points)


def _slips(seed: bytes) -> int:
    """Draw the slips of a playout, each as likely as any other."""
    drawn = shake_256(seed).digest(_SLIP_RARITY * _SLIP_BYTES)
    slips = -1
    for at in range(0, len(drawn), _SLIP_BYTES):
        slips &= int.from_bytes(drawn[at : at + _SLIP_BYTES], "big")
    return slips


@lru_cache(maxsize=1 << 12)
def _prospect(totals: tuple[int, ...], hands_left: int) -> tuple[Numbers, Numbers]:
    """Return the chances and the points of seats that have some totals before the hands that are left.

    Where none is left, and seats share the lead, one hand more is expected.
    """
    seats, top = len(totals), max(totals)
    if not hands_left and totals.count(top) == 1:
        return tuple(float(total == top) for total in totals), tuple(map(float, totals))
    hands = max(hands_left, 1)
    scale = _HAND_DEVIATION[seats] * sqrt(hands) / _NORMAL_AS_LOGISTIC
    weights = [exp((total - top) / scale) for total in totals]
    whole = sum(weights)
    more = hands * _HAND_POINTS / seats
    # Rounded, as machines may differ in the last digits of an exponential.
    return tuple(round(weight / whole, 9) for weight in weights), tuple(total + more for total in totals)
