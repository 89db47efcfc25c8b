"""Montauk's cards: their values, which suit beats which, and the result of the cards of a trick."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.games.montauk.track import Values

Card: TypeAlias = str
Cards: TypeAlias = tuple[Card, ...]

HAND_ORDER: Cards = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
"""All cards in the order of a hand: by suit, the ace low."""
VALUE: Mapping[Card, int] = {card: 0 if card[0] == "K" else at % 13 % 6 + 1 for at, card in enumerate(HAND_ORDER)}
"""Value of each card: two runs of 1 to 6, kings 0 (Cards)."""
BEATS = {"S": "HD", "H": "DC", "D": "C", "C": "S"}
"""Suits that each suit beats (Cards)."""

_PLACE = {card: at for at, card in enumerate(HAND_ORDER)}


@dataclass(frozen=True, slots=True)
class TrickResult:
    """Result of two cards: who wins, the values to use, and whether an extra card is drawn."""

    follower_wins: bool
    to_use: Values
    draws: bool


@cache
def trick_result(led: Card, followed: Card) -> TrickResult:
    """Return the result of the two cards of a trick (Resolution, Winner and Spends)."""
    values = VALUE[led], VALUE[followed]
    same_suit, same_rank = led[1] == followed[1], values[0] == values[1]
    to_use = values[:1] * (6 if same_suit else 4) if same_rank else tuple(sorted(values))
    return TrickResult(
        follower_wins=same_suit or led[1] in BEATS[followed[1]],
        to_use=tuple(value for value in to_use if value),
        draws=same_suit or same_rank,
    )


def extra_to_use(led: Card, followed: Card, extra: Card) -> Values:
    """Return the values of the extra phase for the card that was drawn (Resolution, Spends)."""
    won = followed if trick_result(led, followed).follower_wins else led
    value = VALUE[extra]
    matches = (extra[1] == won[1]) + (value == VALUE[won])
    times = 4 if _are_twins(led, followed) else (1, 4, 6)[matches]
    return (value,) * times if value else ()


def sort_hand(held: Iterable[Card]) -> Cards:
    """Sort cards in the order of a hand."""
    return tuple(sorted(held, key=_PLACE.__getitem__))


def _are_twins(one: Card, other: Card) -> bool:
    return one[1] == other[1] and VALUE[one] == VALUE[other]
