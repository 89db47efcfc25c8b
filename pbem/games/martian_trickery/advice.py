"""Suggested moves of Martian Trickery, by the seat's own hand and what is open to all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.martian_trickery.position import POWER, RANK, TRUMP, Position, playable
from pbem.games.martian_trickery.score import hand_score

if TYPE_CHECKING:
    from pbem.games.hidden import Seat

_MAX_SURE_LEADS = 2
"""Number of suggested leads with cards that only a trump can beat, before a lead to lose."""


def suggest_leads(position: Position, seat: Seat) -> list[str]:
    """Return leads for the most wanted prize with the highest cards still out, for the least wanted with the lowest."""
    choice = sorted(playable(position, seat), key=card_cost)
    unseen = _unseen(position, seat)
    sure = [card for card in choice if not any(card[1] == other[1] and RANK[other] > RANK[card] for other in unseen)]
    wanted = max(position.middle, key=lambda prize: _gain(position, seat, prize))
    shunned = min(position.middle, key=lambda prize: _gain(position, seat, prize))
    moves = [f"{wanted} {card}" for card in sure[:_MAX_SURE_LEADS]] + [
        f"{shunned} {choice[0]}",
        f"{wanted} {choice[-1]}",
    ]
    return list(dict.fromkeys(moves))


def suggest_follows(position: Position, seat: Seat) -> list[str]:
    """Return cards that win a wanted prize as cheaply as is safe, or lose an unwanted one with the highest loser."""
    power = POWER[position.cards[0][1]]
    best = max(power[card] for card in position.cards)
    last = len(position.cards) == position.terms.seats - 1
    wanted = _gain(position, seat, position.prize or "") > 0

    def order(card: str) -> tuple[bool, int]:
        wins = power[card] > best
        # Later seats may still beat a winning card: a high one holds a wanted prize, a low one may lose an unwanted
        # one.
        high_first = (wins and not last) if wanted else (last or not wins)
        return wins != wanted, -card_cost(card) if high_first else card_cost(card)

    return sorted(playable(position, seat), key=order)


def _gain(position: Position, seat: Seat, prize: str) -> int:
    haul, prizes = position.won[seat - 1], position.terms.prizes
    return hand_score((*haul, prize), prizes) - hand_score(haul, prizes)


def _unseen(position: Position, seat: Seat) -> set[str]:
    seen = {card for trick in position.tricks_of_hand for card in trick.cards}
    return set(position.terms.deck) - seen - set(position.hands[seat - 1].value)


def card_cost(card: str) -> int:
    """Return what a seat gives up with a card: its rank, and for any trump more than for all plain cards."""
    return RANK[card] + (len(RANK) if card[1] == TRUMP else 0)
