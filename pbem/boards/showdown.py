"""Why one poker hand beats another, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games.cards import RANK_NAMES, RANKS, SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALIKE = {
    1: "a high card", 2: "a pair", 3: "two pair", 4: "three of a kind", 5: "a straight", 6: "a flush",
    7: "a full house", 8: "four of a kind", 9: "a straight flush", 10: "a royal flush",
}  # fmt: skip
_WHEEL = {"A", "2", "3", "4", "5"}


def kind(level: int) -> str:
    """Name a level as a sentence does: "a straight", "two pair", "an empty hand"."""
    return _ALIKE.get(level, "an empty hand")


def reason(better: Sequence[str], worse: Sequence[str], levels: tuple[int, int], compare: str) -> str:
    """Say what makes one hand win over another, the levels being those of the better and the worse."""
    if levels[0] != levels[1]:
        beats = "beats" if levels[1] else "wins against"
        return f"{kind(levels[0])} {beats} {kind(levels[1])}"
    both = f"both show {kind(levels[0])}"
    first, second = _compared(better, compare), _compared(worse, compare)
    for high, low in zip(first, second, strict=False):
        if high[0] != low[0]:
            return f"{both}, and {_rank(high)} comes before {_rank(low)}"
    if len(first) != len(second):
        return f"{both} of the same ranks, and the longer hand wins"
    high, low = next((high, low) for high, low in zip(first, second, strict=True) if high != low)
    return f"{both} of the same ranks, and {SUIT_NAMES[high[1]]} come before {SUIT_NAMES[low[1]]}"


def _rank(card: str) -> str:
    name = RANK_NAMES[card[0]]
    return f"{'an' if name[0] in 'ae' else 'a'} {name}"


def _compared(hand: Sequence[str], compare: str) -> list[str]:
    """Put cards into the order in which they are compared: ranks from the highest, suits S H D C."""
    ranks = [card[0] for card in hand]
    low_ace = set(ranks) == _WHEEL and len(hand) == len(_WHEEL)

    def place(card: str) -> tuple[int, int, int]:
        rank = -1 if low_ace and card[0] == "A" else RANKS.index(card[0])
        return -ranks.count(card[0]) if compare == "poker" else 0, -rank, "SHDC".index(card[1])

    return sorted(hand, key=place)
