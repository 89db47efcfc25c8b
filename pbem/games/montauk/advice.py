"""Suggested moves of Montauk, judged by what the mover knows: its hand and what has been shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.game import Move
from pbem.games.montauk import track as tracks
from pbem.games.montauk.cards import HAND_ORDER, trick_result
from pbem.games.montauk.round import other_seat

if TYPE_CHECKING:
    from pbem.games.hidden import Seat
    from pbem.games.montauk.cards import Card
    from pbem.games.montauk.round import Position
    from pbem.games.montauk.track import Track

EXTRA_CARD_PIPS = 6
"""Average gain from an extra card, in pips."""
_BORNE_OFF_PIPS = 3
"""Worth of a pyramid off the track, beyond the pips it no longer needs."""


def likely_spendings(position: Position) -> tuple[Move, ...]:
    """Return the spendings by what they leave to do, least first."""
    spendings = tracks.spendings(position.track, position.to_use)
    return tuple(sorted(spendings, key=lambda move: burden(tracks.after_spending(position.track, move))))


def likely_cards(position: Position, seat: Seat) -> tuple[Move, ...]:
    """Return the hand by what each card gains against all cards that the seat has not seen, best first."""
    hand = position.hands[seat - 1].value
    seen = {*hand, *position.played}
    unseen = [card for card in HAND_ORDER if card not in seen]
    mine, yours = (burden(position.race.tracks[whose - 1]) for whose in (seat, other_seat(seat)))
    leads = seat == position.trick.leader

    def gain(card: Card, met: Card) -> int:
        result = trick_result(card, met) if leads else trick_result(met, card)
        worth = sum(result.to_use) + (EXTRA_CARD_PIPS if result.draws else 0)
        return -min(worth, yours) if result.follower_wins == leads else min(worth, mine)

    return tuple(map(Move, sorted(hand, key=lambda card: -sum(gain(card, met) for met in unseen))))


def burden(track: Track) -> int:
    """Return what is left to do on a track, in pips."""
    return tracks.pips(track) + _BORNE_OFF_PIPS * sum(track)
