"""Poker hands as Amazonian Buffet's rulebook compares them: Resolution."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.cards import DECK, RANKS
from pbem.games.poker import COMPARE_OPTIONS, FULL_HAND, LEVELS, contest, level, strength
from tests.support.places import DATA

VECTORS = DATA / "vectors" / "amazonian-buffet.json"
COMPARISONS = json.loads(VECTORS.read_text(encoding="utf-8"))["comparisons"]

hands = st.lists(st.sampled_from(DECK), unique=True, max_size=FULL_HAND)


def cards(text: str) -> list[str]:
    return [] if text == "-" else text.split()


@pytest.mark.parametrize("case", COMPARISONS, ids=lambda case: f"{case['a']} against {case['b']}")
def test_comparisons(case: dict[str, Any]) -> None:
    a, b = cards(case["a"]), cards(case["b"])
    assert (level(a), level(b)) == (case["level_a"], case["level_b"])
    for compare in COMPARE_OPTIONS:
        result, turned = contest(a, b, compare), contest(b, a, compare)
        assert ("a" if result > 0 else "b" if result < 0 else "tie") == case[compare]
        assert (turned > 0, turned < 0) == (result < 0, result > 0)


@pytest.mark.parametrize(
    ("hand", "name"),
    [
        ("TS JS QS KS AS", "royal flush"),
        ("KS QS JS TS 9S", "straight flush"),
        ("5D 4D 3D 2D AD", "straight flush"),
        ("2S 2H 2D 2C", "four of a kind"),
        ("2S 2H 2D 3C 3S", "full house"),
        ("KS 9S 7S 5S 2S", "flush"),
        ("KS 9S 7S 5S", "high card"),
        ("AS KH QD JC TS", "straight"),
        ("5S 4H 3D 2C AS", "straight"),
        ("2S AH KD QC JS", "high card"),
        ("AS KH QD JC", "high card"),
        ("2S 2H 2D", "three of a kind"),
        ("2S 2H 3D 3S", "two pair"),
        ("2S 2H 4D 3S", "one pair"),
        ("2S", "high card"),
        ("-", "empty"),
    ],
)
def test_levels(hand: str, name: str) -> None:
    """Resolution, Level: short hands have any level whose cards they hold; some levels need five cards."""
    assert LEVELS[level(cards(hand))] == name


def test_how_many_hands_have_each_level() -> None:
    """The levels of all hands of two suits, counted by hand: each of 13 ranks is there twice."""
    two_suits = [card for card in DECK if card[1] in "SH"]
    found = [0] * len(LEVELS)
    for hand in combinations(two_suits, FULL_HAND):
        found[level(hand)] += 1
    flushes, straights, distinct = 2, 2**FULL_HAND, 1287
    assert found[LEVELS.index("royal flush")] == flushes
    assert found[LEVELS.index("straight flush")] == flushes * 9
    assert found[LEVELS.index("flush")] == flushes * (distinct - 10)
    assert found[LEVELS.index("straight")] == 10 * (straights - flushes)
    assert found[LEVELS.index("high card")] == (distinct - 10) * (straights - flushes)
    assert found[LEVELS.index("two pair")] == 78 * 11 * 2
    assert found[LEVELS.index("one pair")] == 13 * 220 * 2**3
    assert found[LEVELS.index("three of a kind")] == 0
    assert sum(found) == 65780


def test_straights_rank_by_their_highest_card() -> None:
    """Resolution, Comparing: the ace is low in 5 4 3 2 A, the lowest straight."""
    wheel = cards("5S 4H 3D 2C AS")
    others = [[rank + suit for rank, suit in zip(RANKS[i : i + FULL_HAND], "SHDCS", strict=True)] for i in range(9)]
    assert all(strength(low, compare) < strength(high, compare) for compare in COMPARE_OPTIONS
               for low, high in pairwise([wheel, *others]))  # fmt: skip


@given(hands, hands)
def test_only_empty_hands_tie(a: list[str], b: list[str]) -> None:
    """Since all cards differ, the only tie is empty against empty."""
    b = [card for card in b if card not in a]
    for compare in COMPARE_OPTIONS:
        assert (contest(a, b, compare) == 0) == (not a and not b)
        assert (contest(a, b, compare) > 0) == (contest(b, a, compare) < 0)


@given(hands, hands, st.sampled_from(COMPARE_OPTIONS))
def test_comparing_by_the_words_of_the_rulebook(a: list[str], b: list[str], compare: str) -> None:
    """Resolution, Comparing, steps 1 to 3, followed one after the other."""
    b = [card for card in b if card not in a]

    def told(hand: list[str]) -> tuple[int, list[int], list[int]]:
        wheel = sorted(card[0] for card in hand) == sorted("5432A")
        rank = {card: -1 if wheel and card[0] == "A" else RANKS.index(card[0]) for card in hand}
        alike = {card: sum(other[0] == card[0] for other in hand) if compare == "poker" else 0 for card in hand}
        order = sorted(hand, key=lambda card: (alike[card], rank[card], "CDHS".index(card[1])), reverse=True)
        return level(hand), [rank[card] for card in order], ["CDHS".index(card[1]) for card in order]

    assert (contest(a, b, compare) > 0) == (told(a) > told(b))
