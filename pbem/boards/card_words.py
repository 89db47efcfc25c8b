"""Playing cards in sentences and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.playing_cards import sorted_by_suit
from pbem.boards.prose import capitalized, glued, series
from pbem.games import cards
from pbem.i18n import _, meaning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTEXT = "ranks of cards"
"""Message context of ranks in catalogs; elsewhere "two" is a number."""


def with_article(card: str) -> str:
    """Return a card's name with its article."""
    return _("the {card}", card=name(card))


def with_capital_article(card: str) -> str:
    """Return a card's name with its article, capitalized to begin a sentence."""
    return capitalized(with_article(card))


def name(card: str) -> str:
    """Return a card's name: "nine of hearts"."""
    return _(cards.name(card))


def suit(letter: str) -> str:
    """Return a suit's name: "hearts"."""
    return _(cards.SUIT_NAMES[letter])


def rank(letter: str) -> str:
    """Return a rank's name: "nine"."""
    return meaning(CONTEXT, cards.RANK_NAMES[letter])


def ranks(letter: str) -> str:
    """Return the plural of a rank's name: "nines"."""
    return meaning(CONTEXT, _plural(letter))


def rank_with_article(letter: str) -> str:
    """Return any card of a rank: "an eight"."""
    return meaning(CONTEXT, _with_indefinite_article(letter))


def rank_names() -> Iterator[str]:
    """Yield every name that catalogs need in the context of ranks."""
    for letter in cards.RANKS:
        yield from (cards.RANK_NAMES[letter], _plural(letter), _with_indefinite_article(letter))


def card_list(held: Iterable[str]) -> str:
    """Format several cards as a list: "the ace of spades and the nine of hearts".

    Each article is glued to its rank, because no game parses a card with its article as a move. In a language without
    articles, the last card is glued to the word before it, so that it is never alone on a line.
    """
    pattern = glued(_("the {card}"))
    listed = series([pattern.format(card=name(card)) for card in held]) or _("no cards")
    return listed if pattern != "{card}" else glued(" ").join(listed.rsplit(" ", 1))


def by_suit(held: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each suit's name with its cards."""
    ordered = sorted_by_suit(held)
    for letter in dict.fromkeys(card[1] for card in ordered):
        yield suit(letter), [card for card in ordered if card[1] == letter]


def _plural(letter: str) -> str:
    return f"{cards.RANK_NAMES[letter]}{'es' if letter == '6' else 's'}"


def _with_indefinite_article(letter: str) -> str:
    return f"{'an' if letter in '8A' else 'a'} {cards.RANK_NAMES[letter]}"
