"""Playing cards in sentences and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import glued, series
from pbem.games import cards
from pbem.i18n import _, meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTEXT = "ranks of cards"
"""What catalogs call ranks in; elsewhere "two" is a number."""


def said(card: str) -> str:
    """Say a card with its article."""
    return _("the {card}", card=name(card))


def begun(card: str) -> str:
    """Say a card with its article, as a sentence begins."""
    told = said(card)
    return told[0].upper() + told[1:]


def name(card: str) -> str:
    """Say a card: "nine of hearts"."""
    return _(cards.name(card))


def suit(letter: str) -> str:
    """Say a suit: "hearts"."""
    return _(cards.SUIT_NAMES[letter])


def rank(letter: str) -> str:
    """Say a rank: "nine"."""
    return meaning(CONTEXT, cards.RANK_NAMES[letter])


def ranks(letter: str) -> str:
    """Say several cards of a rank: "nines"."""
    return meaning(CONTEXT, _several(letter))


def a_rank(letter: str) -> str:
    """Say any card of a rank: "an eight"."""
    return meaning(CONTEXT, _any(letter))


def rank_names() -> Iterator[str]:
    """Give every name that catalogs must have in the context of ranks."""
    for letter in cards.RANKS:
        yield from (cards.RANK_NAMES[letter], _several(letter), _any(letter))


def spelled(held: Iterable[str]) -> str:
    """Say several cards as a list: "the ace of spades and the nine of hearts".

    Each article is glued to its rank: no game reads a card with its article as a move. In a language where cards
    have none, the last card is glued to the word before it, so that it stands on no line by itself.
    """
    pattern = glued(_("the {card}"))
    listed = series([pattern.format(card=name(card)) for card in held]) or _("no cards")
    return listed if pattern != "{card}" else glued(" ").join(listed.rsplit(" ", 1))


def by_suit(held: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Part cards by suit, each suit under its name."""
    ordered = sorted_by_suit(held)
    for letter in dict.fromkeys(card[1] for card in ordered):
        yield suit(letter), [card for card in ordered if card[1] == letter]


def _several(letter: str) -> str:
    return f"{cards.RANK_NAMES[letter]}{'es' if letter == '6' else 's'}"


def _any(letter: str) -> str:
    return f"{'an' if letter in '8A' else 'a'} {cards.RANK_NAMES[letter]}"
