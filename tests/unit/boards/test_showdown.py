"""Why one hand beats another, as the rulebook of Amazonian Buffet compares them (Resolution)."""

import pytest

from pbem.boards.hand_comparison import level_phrase, reason
from pbem.games.poker import LEVELS, contest, level


@pytest.mark.parametrize(
    ("better", "worse", "why"),
    [
        ("9S 8S 7S 6S 5S", "AS AH AD AC 2H", "a straight flush beats four of a kind"),
        ("2D", "", "a high card wins against an empty hand"),
        ("AS 2H 2D 7C 5C", "KS KH QD JC 9C", "both show a pair, and an ace comes before a king"),
        ("KS QD 8C", "KH QC", "both show a high card of the same ranks, and the longer hand wins"),
        ("KS QC", "KH QS", "both show a high card of the same ranks, and spades come before hearts"),
        ("6S 5S 4H 3D 2C", "5H 4S 3C 2D AH", "both show a straight, and a six comes before a five"),
    ],
)
def test_what_decides_between_single_cards(better: str, worse: str, why: str) -> None:
    first, second = better.split(), worse.split()
    assert contest(first, second, "cards") > 0
    assert reason(first, second, (level(first), level(second)), "cards") == why


def test_the_poker_habit_looks_at_the_pair_first() -> None:
    kings, twos = ["KS", "KH", "QD", "JC", "9C"], ["AS", "2H", "2D", "7C", "5C"]
    assert contest(kings, twos, "poker") > 0
    assert reason(kings, twos, (2, 2), "poker") == "both show a pair, and a king comes before a two"


def test_each_level_has_a_name() -> None:
    assert [level_phrase(level) for level in range(len(LEVELS))] == [
        "an empty hand", "a high card", "a pair", "two pair", "three of a kind", "a straight", "a flush",
        "a full house", "four of a kind", "a straight flush", "a royal flush",
    ]  # fmt: skip
