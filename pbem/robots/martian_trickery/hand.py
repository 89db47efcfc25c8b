"""A hand of Martian Trickery of which every card is known, in bits; its seats count from 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.robots.martian_trickery.card_bits import SUIT_OF_BIT, TRUMPS

if TYPE_CHECKING:
    from pbem.games.martian_trickery.position import Terms


class Hand(NamedTuple):
    """State between two cards; `best` is the card that wins the trick so far, and `winner` its seat."""

    terms: Terms
    totals: tuple[int, ...]
    """Scores of the hands before."""
    hands_left: int
    """Number of hands that follow this one even if one seat leads alone."""
    held: tuple[int, ...]
    turn: int
    lying: int
    """Number of cards in the trick."""
    best: int
    winner: int
    led: int
    """All cards of the suit led."""
    prize: int
    middle: int
    won: tuple[int, ...]
    broken: bool


def playable(hand: Hand) -> int:
    """Return the cards that the seat to move may play."""
    held = hand.held[hand.turn]
    if hand.lying:
        return held & hand.led or held
    return held if hand.broken else held & ~TRUMPS or held


def play(hand: Hand, card: int, prize: int) -> Hand:
    """Play a card; the prize is that of the trick, which its leader chooses."""
    terms, totals, hands_left, held, turn, lying, best, winner, led, _, middle, won, broken = hand
    held = (*held[:turn], held[turn] ^ card, *held[turn + 1 :])
    if not lying:
        best, winner, led, middle = card, turn, SUIT_OF_BIT[card], middle ^ prize
    elif card > best and card & (led | TRUMPS):
        best, winner = card, turn
    broken = broken or bool(card & TRUMPS and led != TRUMPS)
    lying += 1
    turn = (turn + 1) % terms.seats
    if lying == terms.seats:
        won = (*won[:winner], won[winner] | prize, *won[winner + 1 :])
        lying, best, led, prize, turn = 0, 0, 0, 0, winner
    return Hand(terms, totals, hands_left, held, turn, lying, best, winner, led, prize, middle, won, broken)


def is_over(hand: Hand) -> bool:
    """Return whether all tricks of the hand are finished."""
    return not hand.middle and not hand.lying
