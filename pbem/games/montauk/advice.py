"""Suggested moves of Montauk, judged by what the mover knows: its hand and what has been shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.game import Move
from pbem.games.montauk import track as tracks
from pbem.games.montauk.cards import ORDER, fall
from pbem.games.montauk.round import other

if TYPE_CHECKING:
    from pbem.games.hidden import Seat
    from pbem.games.montauk.cards import Card
    from pbem.games.montauk.round import Position
    from pbem.games.montauk.track import Track

_EXTRA = 6
"""Average gain from an extra card, in pips."""
_BORNE_OFF = 3
"""Worth of a pyramid off the track, beyond the pips it no longer needs."""


def likely_spendings(position: Position) -> tuple[Move, ...]:
    """Return the spendings by what they leave to do, least first."""
    spendings = tracks.spendings(position.track, position.to_use)
    return tuple(sorted(spendings, key=lambda move: burden(tracks.left(position.track, move))))


def likely_cards(position: Position, seat: Seat) -> tuple[Move, ...]:
    """Return the hand by what each card gains against all cards that the seat has not seen, best first."""
    hand = position.hands[seat - 1].value
    unseen = [card for card in ORDER if card not in hand and card not in position.played]
    mine, yours = (burden(position.race.tracks[whose - 1]) for whose in (seat, other(seat)))
    leads = seat == position.trick.leader

    def gain(card: Card, met: Card) -> int:
        result = fall(card, met) if leads else fall(met, card)
        worth = sum(result.to_use) + (_EXTRA if result.draws else 0)
        return -min(worth, yours) if result.follower_wins == leads else min(worth, mine)

    return tuple(map(Move, sorted(hand, key=lambda card: -sum(gain(card, met) for met in unseen))))


def burden(track: Track) -> int:
    """Return what is left to do on a track, in pips."""
    return tracks.pips(track) + _BORNE_OFF * sum(track)
