"""Playing cards in sentences and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import glued, series
from pbem.games import cards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def said(card: str) -> str:
    """Say a card with its article."""
    return f"the {cards.name(card)}"


def spelled(held: Iterable[str]) -> str:
    """Say several cards as a list: "the ace of spades and the nine of hearts".

    Each article is glued to its rank: no game reads a card with its article as a move.
    """
    return series([glued("the", "") + cards.name(card) for card in held]) or "no cards"


def by_suit(held: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Part cards by suit, each suit under its name."""
    ordered = sorted_by_suit(held)
    for suit in dict.fromkeys(card[1] for card in ordered):
        yield cards.SUIT_NAMES[suit], [card for card in ordered if card[1] == suit]
