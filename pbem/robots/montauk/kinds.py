"""Montauk's cards and tracks as numbers, on which rounds are played in little time.

All cards of a suit and a value are of one kind. A track is numbered by its place among all tracks, a group of values
to use up together by its place among all groups.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.montauk.cards import HAND_ORDER, VALUE, extra_to_use, trick_result
from pbem.games.montauk.track import OFF, PYRAMIDS, pips

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.montauk.cards import Card
    from pbem.games.montauk.track import Track, Values

Kind: TypeAlias = int
Group: TypeAlias = int
TrackNumber: TypeAlias = int
Extras: TypeAlias = "tuple[Group, ...] | None"
"""Group for each kind of extra card, or None where none is drawn."""

_SUITS = "SHDC"
_VALUES = range(1, 7)
_KINDS_OF_A_SUIT = 7

KIND: Mapping[Card, Kind] = {card: _KINDS_OF_A_SUIT * _SUITS.index(card[1]) + VALUE[card] for card in HAND_ORDER}
"""Kind of each card."""
_CARD: Mapping[Kind, Card] = {kind: card for card, kind in KIND.items()}
KINDS = range(len(_CARD))

GROUPS: tuple[Values, ...] = (
    (),
    *combinations(_VALUES, 2),
    *((value,) * times for value in _VALUES for times in (1, 4, 6)),
)
"""All values that can be used up together."""
NOTHING: Group = 0
"""Group of no values."""
_GROUP: Mapping[Values, Group] = {values: group for group, values in enumerate(GROUPS)}

TRACKS: tuple[Track, ...] = tuple(
    tuple(map(places.count, _VALUES)) for places in combinations_with_replacement(range(OFF, 7), PYRAMIDS)
)
"""All tracks; the empty one comes first."""
NUMBER: Mapping[Track, TrackNumber] = {track: number for number, track in enumerate(TRACKS)}
"""Number of each track."""
STANDING = tuple(map(sum, TRACKS))
"""Pyramids on each track."""
PIPS = tuple(map(pips, TRACKS))
"""Pips left on each track."""


def _trick(led: Card, followed: Card) -> tuple[bool, Group, Extras]:
    result = trick_result(led, followed)
    extras = tuple(_GROUP[extra_to_use(led, followed, _CARD[kind])] for kind in KINDS) if result.draws else None
    return result.follower_wins, _GROUP[result.to_use], extras


TRICKS = tuple(tuple(_trick(_CARD[led], _CARD[followed]) for followed in KINDS) for led in KINDS)
"""For each kind that is led and each that follows: whether the follower wins, and the groups to use up."""
