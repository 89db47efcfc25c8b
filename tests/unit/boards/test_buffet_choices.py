"""What helps to make three hands of Amazonian Buffet."""

from typing import Any

import pytest

from pbem.boards import drawing_for
from pbem.boards.amazonian_buffet import choices

NAMES = ("You", "Bob")
DRAWING = drawing_for("amazonian-buffet")
OWN = [["KS", "KC"], ["9H"], []]
THEIRS = [["KH", "KD"], ["9D"], []]


def board(stage: str, compare: str = "cards", **more: Any) -> dict[str, Any]:
    pools = [["KS", "KC", "9H"], ["KH", "KD", "9D"]]
    both = [OWN, THEIRS] if stage == "adjust" else [None, None]
    made: dict[str, Any] = {"stage": stage, "pools": pools, "layouts": both, "sealed": [False, False]}
    return made | {"compare": compare} | more


def test_the_pool_is_sorted_out_by_suit_and_by_rank() -> None:
    pool = ["AS", "2S", "3S", "4S", "5H", "6S", "6H", "6D", "6C", "TH", "TD", "TC", "QH", "QC"]
    (suits, by_suit), (ranks, by_rank) = choices.pool_guide(pool)
    assert (suits, ranks) == ("Your cards by suit", "Your cards by rank")
    assert by_suit == (
        "Spades, five cards: A, 6, 4, 3, 2",
        "Hearts, four cards: Q, 10, 6, 5",
        "Clubs, three cards: Q, 10, 6",
        "Diamonds, two cards: 10, 6",
    )
    assert by_rank == (
        "Four of a rank: sixes (S H C D)",
        "Three of a rank: tens (H C D)",
        "Pairs: queens (H C)",
        "Alone: ace (spades), five (hearts), four (spades), three (spades), two (spades)",
        "Five or more in a row: ace to six",
    )


def test_a_few_cards_run_in_no_row() -> None:
    ((_, by_suit), (_, by_rank)) = choices.pool_guide(["9H", "9S"])
    assert by_suit == ("Spades, one card: 9", "Hearts, one card: 9")
    assert by_rank == ("Pairs: nines (S H)",)


def test_the_guide_belongs_to_the_making_of_hands() -> None:
    assert [heading for heading, _ in DRAWING.guide(board("layout"), NAMES, 1)] == [
        "Your cards by suit", "Your cards by rank",
    ]  # fmt: skip
    heading, lines = DRAWING.guide(board("adjust"), NAMES, 1)[0]
    assert heading == "As the hands stand"
    assert lines == (
        "You would win the first hand: both show a pair of the same ranks, and spades come before hearts.",
        "You would win the second hand: both show a high card of the same ranks, and hearts come before diamonds.",
        "Nobody would win the third hand: both are empty.",
    )
    assert DRAWING.guide(board("board"), NAMES, 1) == ()
    assert DRAWING.guide(board("layout", sealed=[True, False]), NAMES, 1) == ()


def test_ready_layouts_are_named_by_what_they_are_good_for() -> None:
    moves = ("hands KS KC 9H | - | -", "hands KS | KC | 9H")
    named = DRAWING.named(board("layout"), 1, moves)
    assert named[0][0].startswith("Strongest first")
    assert named[0][1] == "a pair, an empty hand and an empty hand"
    assert named[1][1] == "a high card, a high card and a high card"
    assert DRAWING.named(board("board"), 1, ("a1-a2 a1",)) == (("", ""),)


def test_an_answer_is_named_by_what_it_would_win() -> None:
    assert DRAWING.named(board("adjust"), 1, ("keep", "hands 9H | KS KC | -")) == (
        ("Keep your hands", "would win two hands against those shown: a pair, a high card and an empty hand"),
        ("Change to these", "would win one hand against those shown: a high card, a pair and an empty hand"),
    )


def test_pieces_are_grouped_by_suit_behind_what_is_no_card() -> None:
    assert DRAWING.grouped(("9H", "KS", "2S", "|")) == (
        ("", ("|",)), ("Spades", ("KS", "2S")), ("Hearts", ("9H",)),
    )  # fmt: skip
    assert DRAWING.grouped(("9H",)) == (("Hearts", ("9H",)),)
    assert DRAWING.grouped(("a1-a2", "a1-a3")) == (("", ("a1-a2", "a1-a3")),)


def test_hands_are_told_as_they_grow() -> None:
    assert DRAWING.begun(("KS", "KC", "|", "|", "9H")) == (
        "First hand: KS KC (a pair)",
        "Second hand: no cards (an empty hand)",
        "Third hand: 9H (a high card)",
    )
    assert DRAWING.begun(("a1-a2",)) == ()


@pytest.mark.parametrize(
    ("stage", "move", "lines"),
    [
        ("board", "a1-a2 a1", ()),
        ("layout", "hands KS KC | 9H | -", ("Your hands: a pair, a high card and an empty hand.",)),
        (
            "adjust",
            "hands 9H | KS KC | -",
            (
                "If Bob kept the hands shown:",
                "Bob would win the first hand: a pair beats a high card.",
                "You would win the second hand: a pair beats a high card.",
                "Nobody would win the third hand: both are empty.",
            ),
        ),
    ],
)
def test_what_a_layout_brings(stage: str, move: str, lines: tuple[str, ...]) -> None:
    assert DRAWING.brings(board(stage), NAMES, 1, move) == lines


def test_keeping_brings_what_the_hands_shown_bring() -> None:
    assert DRAWING.brings(board("adjust"), NAMES, 1, "keep")[1:] == DRAWING.guide(board("adjust"), NAMES, 1)[0][1]
