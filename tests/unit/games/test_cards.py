"""Cards: the fresh deck of the conventions, and what people type for a card."""

from __future__ import annotations

import pytest

from pbem.games.cards import DECK, fold, name
from pbem.games.typed_text import fold as plain


def test_the_fresh_deck_is_in_suit_then_rank_order() -> None:
    assert DECK[:3] == ("2C", "3C", "4C")
    assert DECK[12:14] == ("AC", "2D")
    assert DECK[-1] == "AS"
    assert len(set(DECK)) == 52


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("th", "TH"), ("10h", "TH"), ("10 h", "TH"), ("T♥", "TH"), ("10 ♥\ufe0f", "TH"), ("ｔｈ", "TH"),  # noqa: RUF001
        ("ten of hearts", "TH"), ("Ten Hearts", "TH"), ("10 of hearts", "TH"), ("herz zehn", "TH"), ("Herz-10", "TH"),
        ("queen of spades", "QS"), ("Pik Dame", "QS"), ("ace of clubs", "AC"), ("kreuz ass", "AC"), ("karo bube", "JD"),
        ("lead ks", "lead KS"), ("2c and 10d", "2C and TD"), ("take 10", "take 10"), ("R2 7h", "R2 7H"),
    ],
)  # fmt: skip
def test_cards_are_read_as_people_write_them(typed: str, read: str) -> None:
    assert fold(plain(typed)) == read


@pytest.mark.parametrize("word", ["ash", "1h", "11h", "th3", "house", "10"])
def test_what_is_no_card_stays(word: str) -> None:
    assert fold(word) == word


@pytest.mark.parametrize("card", DECK)
def test_a_card_is_read_from_its_name(card: str) -> None:
    assert fold(name(card)) == card
    assert fold(card) == card


def test_names() -> None:
    assert (name("TH"), name("AS")) == ("ten of hearts", "ace of spades")
