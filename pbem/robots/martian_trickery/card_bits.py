"""Cards as bits, by which a playout takes a fraction of the time that names would take.

A higher bit is a card that costs more to play: plain cards come in the order of their ranks, all spades above them. Of
two cards of one suit, or a plain one and a spade, the higher bit wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import cards
from pbem.games.martian_trickery.advice import card_cost
from pbem.games.martian_trickery.position import CARDS_BY_SUIT, TRUMP

if TYPE_CHECKING:
    from collections.abc import Iterable

CARD_BIT: dict[str, int] = {card: 1 << at for at, card in enumerate(sorted(cards.DECK, key=card_cost))}
CARD_OF_BIT: dict[int, str] = {bit: card for card, bit in CARD_BIT.items()}

SUIT_BITS: dict[str, int] = {suit: sum(CARD_BIT[card] for card in held) for suit, held in CARDS_BY_SUIT.items()}
SUIT_OF_BIT: dict[int, int] = {bit: SUIT_BITS[card[1]] for card, bit in CARD_BIT.items()}
"""By a card, all cards of its suit."""
TRUMPS = SUIT_BITS[TRUMP]

_ALL_CARDS = sum(CARD_OF_BIT)


def join(held: Iterable[str]) -> int:
    """Return the bits of some cards, all different."""
    return sum(CARD_BIT[card] for card in held)


def split(held: int) -> list[int]:
    """Return the single cards of several, the cheapest first."""
    single = []
    while held:
        single.append(low := held & -held)
        held ^= low
    return single


def unlike(held: int, between: int) -> list[int]:
    """Return the lowest of each run of held cards of a suit that no card of some others parts."""
    lowest = []
    while held:
        lowest.append(low := held & -held)
        suit = SUIT_OF_BIT[low]
        # Added to ones, the bit carries up to the first card between.
        run = _ALL_CARDS & ~(between & suit)
        held &= ~(suit & (run ^ (run + low)))
    return lowest
