"""Reasons why one poker hand beats another, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.card_words import rank_with_article, suit
from pbem.games.cards import RANKS
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEVEL_PHRASES = {
    1: marked("a high card"), 2: marked("a pair"), 3: marked("two pair"), 4: marked("three of a kind"),
    5: marked("a straight"), 6: marked("a flush"), 7: marked("a full house"), 8: marked("four of a kind"),
    9: marked("a straight flush"), 10: marked("a royal flush"),
}  # fmt: skip
_TITLES = (
    marked("empty"), marked("high card"), marked("one pair"), marked("two pair"), marked("three of a kind"),
    marked("straight"), marked("flush"), marked("full house"), marked("four of a kind"), marked("straight flush"),
    marked("royal flush"),
)  # fmt: skip
_WHEEL = {"A", "2", "3", "4", "5"}


def level_phrase(level: int) -> str:
    """Return a level's name for a sentence: "a straight", "two pair", "an empty hand"."""
    return _(_LEVEL_PHRASES[level]) if level else _("an empty hand")


def level_title(level: int) -> str:
    """Return a level's name for a heading: "straight", "two pair", "empty"."""
    return _(_TITLES[level])


def reason(better: Sequence[str], worse: Sequence[str], levels: tuple[int, int], compare: str) -> str:
    """Return why one hand beats another; `levels` are those of the better and the worse."""
    if levels[0] != levels[1]:
        if levels[1]:
            return _("{better} beats {worse}", better=level_phrase(levels[0]), worse=level_phrase(levels[1]))
        return _("{better} wins against {worse}", better=level_phrase(levels[0]), worse=level_phrase(levels[1]))
    both = level_phrase(levels[0])
    first, second = _comparison_order(better, compare), _comparison_order(worse, compare)
    for high, low in zip(first, second, strict=False):
        if high[0] != low[0]:
            ranks = {"high": rank_with_article(high[0]), "low": rank_with_article(low[0])}
            return _("both show {kind}, and {high} comes before {low}", kind=both, **ranks)
    if len(first) != len(second):
        return _("both show {kind} of the same ranks, and the longer hand wins", kind=both)
    high, low = next((high, low) for high, low in zip(first, second, strict=True) if high != low)
    suits = {"high": suit(high[1]), "low": suit(low[1])}
    return _("both show {kind} of the same ranks, and {high} come before {low}", kind=both, **suits)


def _comparison_order(hand: Sequence[str], compare: str) -> list[str]:
    """Sort cards in the order in which they are compared: ranks from the highest, suits S H D C."""
    ranks = [card[0] for card in hand]
    low_ace = set(ranks) == _WHEEL and len(hand) == len(_WHEEL)

    def place(card: str) -> tuple[int, int, int]:
        rank = -1 if low_ace and card[0] == "A" else RANKS.index(card[0])
        return -ranks.count(card[0]) if compare == "poker" else 0, -rank, "SHDC".index(card[1])

    return sorted(hand, key=place)
