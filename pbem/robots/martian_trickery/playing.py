"""How seats are assumed to play a hand on: as the game suggests, by what they win with the trick itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.cards import DECK
from pbem.robots.martian_trickery.card_bits import SUIT_BITS, SUIT_OF_BIT, TRUMPS
from pbem.robots.martian_trickery.prizes import extremes, score_table

if TYPE_CHECKING:
    from pbem.robots.martian_trickery.hand import Hand

SLIP_BITS = 64
"""Bits of slips for each trick: one for each card, and above them one for each prize."""

_CARDS = len(DECK)
_SUITS = tuple(SUIT_BITS.values())


def play_on(hand: Hand, slips: int = 0) -> list[int]:
    """Play a hand to its end, and return what each seat has won in it.

    Slips are cards and prizes of each trick, the current one first, that seats choose whenever they may.
    """
    seats, kind = hand.terms.seats, hand.terms.prizes
    table = score_table(kind)
    held, won = list(hand.held), list(hand.won)
    turn, lying, best, winner, led, prize, middle, _, broken = hand[4:]
    while middle or lying:
        mine = held[turn]
        if lying:
            may = mine & led or mine
            if slip := may & slips:
                card = _lowest(slip)
            elif may & (may - 1):
                wins = may & (led | TRUMPS) & -best
                wanted = table[won[turn] | prize] > table[won[turn]]
                card = _follow(wins, may ^ wins, wanted=wanted, last=lying == seats - 1)
            else:
                card = may
            if card > best and card & (led | TRUMPS):
                best, winner = card, turn
            lying += 1
        else:
            may = mine if broken else mine & ~TRUMPS or mine
            wanted_prize, shunned = extremes(won[turn], middle, kind)
            card = _sure(may, sum(held) ^ mine)
            prize = wanted_prize if card else shunned
            card = card or may & -may
            if slips:
                card = _lowest(may & slips) or card
                prize = _lowest(middle & slips >> _CARDS) or prize
            middle ^= prize
            best, winner, led, lying = card, turn, SUIT_OF_BIT[card], 1
        broken = broken or (card & TRUMPS > 0 and led != TRUMPS)
        held[turn] ^= card
        turn = (turn + 1) % seats
        if lying == seats:
            won[winner] |= prize
            turn, lying, slips = winner, 0, slips >> SLIP_BITS
    return won


def _follow(wins: int, loses: int, *, wanted: bool, last: bool) -> int:
    """Choose among the cards that would win the trick so far, and those that would not.

    Later seats may still beat a winning card: a high one holds a wanted prize, a low one may lose an unwanted one.
    """
    if wins and (wanted or not loses):
        high = last != wanted
        return 1 << wins.bit_length() - 1 if high else wins & -wins
    return loses & -loses if wanted else 1 << loses.bit_length() - 1


def _lowest(bits: int) -> int:
    return bits & -bits


def _sure(may: int, others: int) -> int:
    """Return the cheapest card that only a trump can beat, or 0."""
    sure = 0
    for suit in _SUITS:
        own = may & suit
        sure |= own >> (length := (others & suit).bit_length()) << length
    return sure & -sure
