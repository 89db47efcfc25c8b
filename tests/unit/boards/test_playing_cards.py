import re

import pytest

from pbem.boards.card_words import by_suit, card_list, with_article
from pbem.boards.playing_cards import BACK, CARD_WIDTH, PlayingCards, sorted_by_suit
from pbem.boards.prose import wrap_sentences
from pbem.games.cards import DECK


def lefts(row: str) -> list[float]:
    return [float(left) for left in re.findall(r"translate\(([\d.-]+) ", row)]


def test_a_row_stands_in_the_middle_and_overlaps_where_it_must() -> None:
    assert lefts(PlayingCards("x").row(["AS"], 0, 0, 500)) == [200]
    assert lefts(PlayingCards("x").row(["AS", "KS"], 0, 0, 500)) == [145, 255]
    narrow = lefts(PlayingCards("x").row(DECK[:13], 20, 0, 688))
    assert narrow[0] == 20
    assert narrow[-1] == 20 + 688 - CARD_WIDTH
    assert narrow[1] - narrow[0] == 49


def test_raised_cards_stand_higher() -> None:
    row = PlayingCards("x").row(["AS", "KS"], 0, 50, 500, raised=["KS"])
    assert re.findall(r" (\d+)\)", row) == ["50", "34"]


@pytest.mark.parametrize("card", [*DECK, BACK])
def test_each_card_is_defined_with_all_that_it_is_made_of(card: str) -> None:
    cards = PlayingCards("x")
    cards.card(card, 0, 0)
    definitions = cards.definitions()
    ids = re.findall(r'id="x-([^"]+)"', definitions)
    if card == BACK:
        assert ids == [BACK, "sheet"]
    else:
        assert ids == [card, f"pip-{card[1]}", f"rank-{card[0]}", "sheet"]
    assert set(re.findall(r'href="#x-([^"]+)"', definitions)) == set(ids) - {card}


def test_names_alone_need_no_sheets() -> None:
    """Rank and pip stand side by side, about the place of the card."""
    cards = PlayingCards("x")
    drawn = "".join(cards.names({"AS": (100, 50), "TS": (20, 90)}, 36))
    assert re.findall('href="#x-([^"]+)" x="([^"]+)" y="([^"]+)"', drawn) == [
        ("rank-A", "77", "68"), ("rank-T", "-3", "108"), ("pip-S", "316", "126"), ("pip-S", "114", "227"),
    ]  # fmt: skip
    assert "scale(0.396)" in drawn
    assert re.findall('id="x-([^"]+)"', cards.definitions()) == ["pip-S", "rank-A", "rank-T"]


def test_the_four_suits_differ_in_shape_and_in_tone() -> None:
    cards = PlayingCards("x")
    tones = {re.findall('color="(#......)"', cards.pip(suit, 0, 0, 30))[0] for suit in "SHDC"}
    shapes = set(re.findall(' d="([^"]+)"', cards.definitions()))
    assert len(tones) == len(shapes) == 4


def test_a_hand_is_sorted_by_suit() -> None:
    assert sorted_by_suit(["2D", "TC", "AH", "KC", "3S"]) == ["3S", "AH", "KC", "TC", "2D"]
    assert list(by_suit(["2D", "TC", "KC"])) == [("clubs", ["KC", "TC"]), ("diamonds", ["2D"])]


def test_cards_are_said_with_articles_that_stay_with_their_ranks() -> None:
    assert with_article("TH") == "the ten of hearts"
    assert wrap_sentences([card_list(["TH", "9S"])], 27) == "the ten of hearts and\nthe nine of spades"
    assert card_list([]) == "no cards"
