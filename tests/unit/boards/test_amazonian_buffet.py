"""The worked example of Amazonian Buffet, as it is drawn (rulebook: Worked example)."""

import json
import re
from collections import Counter
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Eye, Move, Seat, Viewer
from tests.support.places import DATA

DRAWING = drawing_for("amazonian-buffet")
GAME = GAMES["amazonian-buffet"]
NAMES = ("Ann", "Bob")
VECTORS: Any = json.loads((DATA / "vectors/amazonian-buffet.json").read_text("utf-8"))
EXAMPLE, POKER = VECTORS["games"][:2]
WORKED = EXAMPLE | {
    "moves": [[1, "a1-c3 f3"], [2, "a8-c6 c8"], [1, "c3-c1 d1"], [2, "f8-f6 d6"], [1, "c1-c4 f4"], [2, "c6-a4 a6"]]
}
BOARD_TURNS = len(EXAMPLE["moves"]) - 4
KEPT = EXAMPLE | {"moves": [*EXAMPLE["moves"][: BOARD_TURNS + 2], [1, "keep"]]}


def after(turns: int, game: Any = EXAMPLE) -> Any:
    chance = Chance(bytes.fromhex(game["seed"]))
    position = GAME.setup(2, game["options"], chance)
    for seat, move in game["moves"][:turns]:
        position = GAME.apply(position, Seat(seat), Move(move), chance)
    return position


def board_of(position: Any, viewer: Viewer = Eye.PUBLIC) -> dict[str, Any]:
    return GAME.board(position, viewer)


def told(position: Any, viewer: Viewer = Eye.PUBLIC, back: int = 1) -> str:
    entry: Any = GAME.log(position, viewer)[-back]
    return DRAWING.tell(entry, NAMES)


def prompt(position: Any, seat: int) -> str:
    moves = tuple(islice(GAME.moves(position, Seat(seat)), 200))
    return DRAWING.prompt(board_of(position, Seat(seat)), seat, moves).text


def test_text_of_the_grid() -> None:
    assert DRAWING.text(board_of(after(6, WORKED)), NAMES, 1) == (
        "Amazonian Buffet\n"
        "Cards are being claimed; four turns in a row without a claim\n"
        "end this stage.\n"
        "\n"
        "Row 8:   TS     AD     AHo    AC     5S     6C\n"
        "Row 7:   8H     TC     QS     4C     8S     2D\n"
        "Row 6:   8Do    6D     JS     QCo    3C     9CW\n"
        "Row 5:   TH     3D     JC     AS     JH     5D\n"
        "Row 4:   7DW    4S     4DB    KS     7S     TD+\n"
        "Row 3:   3H     9H     2C     KC     JD     KD+\n"
        "Row 2:   6H     8C     QD     6S     KH     7C\n"
        "Row 1:   5H     2H     4H     7H+    9D     QHB\n"
        "          a      b      c      d      e      f\n"
        "\n"
        "B, W: pawns of Ann and Bob\n"
        "+, o: their claim stones\n"
        "\n"
        "Cards of Ann (you), 5: 9S, 2S, 7H, KD, TD\n"
        "Cards of Bob, 5: 3S, AH, QC, 5C, 8D"
    )


def test_words_of_the_grid() -> None:
    words = DRAWING.words(board_of(after(6, WORKED)), NAMES, 2)
    assert "The pawns of Ann stand on c4 and f1.\nThe pawns of Bob (you) stand on a4 and f6.\n" in words
    assert (
        "Row 4, from a to f: seven of diamonds under your pawn, four of spades,\n"
        "four of diamonds under a pawn of Ann, king of spades, seven of spades,\n"
        "ten of diamonds claimed by Ann.\n"
    ) in words
    assert words.endswith(
        "Bob (you) has five cards: the three of spades, the ace of hearts,\n"
        "the queen of clubs, the five of clubs and the eight of diamonds."
    )


def test_turns_without_a_claim_are_counted() -> None:
    board = board_of(after(6, WORKED)) | {"idle": 1}
    said = "\nThe last turn claimed nothing; four such turns in a row end\nthis stage.\n"
    assert said in DRAWING.text(board, NAMES)
    assert "The last two turns claimed nothing;" in DRAWING.text(board | {"idle": 2}, NAMES)
    assert len(DRAWING.svg(board, NAMES)) > len(DRAWING.svg(board_of(after(6, WORKED)), NAMES))


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"move": "a1-c3 f3", "claimed": "KD"},
         "You moved a pawn from a1 to c3 and claimed the king of diamonds on f3."),
        ({"move": "a1-c3 none", "claimed": None}, "You moved a pawn from a1 to c3 and claimed nothing."),
        ({"move": "pass", "claimed": None}, "You passed, unable to move a pawn."),
        ({"move": None, "stage": "layout"}, "You sealed three hands, to be shown when both are in."),
        ({"move": "hands KH 8C | QD | -", "stage": "layout"}, "You laid out: first KH 8C, second QD, third none."),
        ({"move": "hands KH 8C | QD | -", "stage": "adjust"},
         "You changed your hands to: first KH 8C, second QD, third none."),
        ({"move": "keep", "stage": "adjust"}, "You kept the three hands as they were."),
    ],
)  # fmt: skip
def test_moves_are_told(entry: dict[str, Any], sentence: str) -> None:
    assert DRAWING.tell({"seat": 1, "stage": "board", "claimed": None} | entry, ("You", "Bob")) == sentence


def test_a_turn_is_asked_for_with_a_claim_as_the_example() -> None:
    asked = prompt(after(6, WORKED), 1)
    assert asked.startswith("Move a pawn and claim a card: write from where to where,\nthen the square")
    found = re.search(r"For example, (\S+ \S+) would be a move\.$", asked)
    assert found is not None
    assert GAME.allows(after(6, WORKED), Seat(1), Move(found[1]))
    assert not found[1].endswith("none")


def test_a_pass_and_no_move_are_asked_for_as_they_are() -> None:
    board = board_of(after(6, WORKED))
    assert DRAWING.prompt(board, 1, ("pass",)).text == "Neither of your pawns can move, so reply “pass” to go on."
    assert DRAWING.prompt(board, 1, ("a1-a2 none",)).text.endswith("For example, a1-a2 none would be a move.")
    assert DRAWING.prompt(board, 1, ()).text == "There is nothing to play now."
    assert DRAWING.prompt(board_of(after(len(EXAMPLE["moves"]))), 1, ()).text == "There is nothing to play now."


def test_three_hands_are_asked_for() -> None:
    position = after(BOARD_TURNS)
    asked = prompt(position, 1)
    assert asked.startswith("Make three hands of 15 of your cards, five in each, with a\nbar between them. First meets")
    assert GAME.allows(position, Seat(1), example(asked))
    adjust = after(BOARD_TURNS + 2)
    asked = prompt(adjust, 2)
    assert asked.startswith("Both layouts are shown. Write “keep” to leave your hands, or\nwrite three new ones.")
    assert GAME.allows(adjust, Seat(2), example(asked))


def example(asked: str) -> Move:
    return Move(asked.replace("\n", " ").split("For example, ")[1].removesuffix(" would be three hands."))


def test_short_pools_make_short_hands() -> None:
    board = board_of(after(BOARD_TURNS)) | {"pools": [["KS", "2D"], ["3C", "3D"]]}
    asked = DRAWING.prompt(board, 1, ()).text
    assert asked == (
        "Make three hands of 2 of your cards, at most five in each,\n"
        "with a bar between them. First meets first, and so on."
    )


def sealed_by_first() -> Any:
    seats = [seat for seat, _ in EXAMPLE["moves"][BOARD_TURNS:]]
    assert seats[:2] == [1, 2]
    return after(BOARD_TURNS + 1)


def test_a_sealed_layout_is_shown_to_its_own_player_alone() -> None:
    position = sealed_by_first()
    own, other = board_of(position, Seat(1)), board_of(position, Seat(2))
    assert "and Ann has sealed\nalready." in DRAWING.text(own, NAMES, 1)
    assert DRAWING.text(own, NAMES, 1).endswith(
        "You have sealed these hands:\n"
        "  first: KC JD 8D 7C 4D (a high card)\n"
        "  second: AH 9H 9D 6D 3D (a pair)\n"
        "  third: KH QH 6S 5H 2H (a high card)"
    )
    assert "You have sealed three hands.\nThe first holds the king of clubs, " in DRAWING.words(own, NAMES, 1)
    assert "You have sealed" not in DRAWING.text(other, NAMES, 2) + DRAWING.words(other, NAMES, 2)
    assert uses(own, 1)["back"] == 0
    assert uses(other, 2)["back"] == uses(board_of(position), None)["back"] == 3
    assert DRAWING.prompt(own, 1, ()).text == "There is nothing to play now."
    assert told(position, Seat(1)) == (
        "Ann laid out: first KC JD 8D 7C 4D, second AH 9H 9D 6D 3D, third KH QH 6S 5H 2H."
    )
    assert told(position, Seat(2)) == "Ann sealed three hands, to be shown when both are in."


def test_both_layouts_are_compared_in_words() -> None:
    board = board_of(after(BOARD_TURNS + 2), Seat(2))
    text, words = DRAWING.text(board, NAMES, 2), DRAWING.words(board, NAMES, 2)
    assert "Both may change their hands once, and nobody has sealed yet." in text
    assert (
        "The second hands: Ann is ahead\n  Ann: AH 9H 9D 6D 3D (a pair)\n  Bob: KD TH 8S 7D 6H (a high card)\n"
    ) in text
    assert "Ann would win the second hand: a pair beats a high card." in words
    assert Counter(re.findall("ahead", text)) == {"ahead": 3}


def test_an_answer_is_sealed_beside_the_hands_that_are_shown() -> None:
    changed, kept = after(BOARD_TURNS + 3), after(BOARD_TURNS + 3, KEPT)
    own = board_of(changed, Seat(2))
    assert own["own"][0] == ["KD", "JS", "8S", "7D", "5C"]
    assert "  first: KD JS 8S 7D 5C (a high card)" in DRAWING.text(own, NAMES, 2)
    shown = uses(board_of(changed, Seat(1)), 1)
    assert uses(own, 2).total() == shown.total() + 15
    keeping = board_of(kept, Seat(1))
    assert "You have sealed your choice to keep your hands." in DRAWING.text(keeping, NAMES, 1)
    assert "You have sealed your choice to keep your hands." in DRAWING.words(keeping, NAMES, 1)
    assert "sealed" in DRAWING.svg(keeping, NAMES, 1)


def test_the_end_is_said() -> None:
    board = board_of(after(len(EXAMPLE["moves"])))
    assert "The game is over: Bob wins by 2 hands to 1." in DRAWING.text(board, NAMES)
    assert "<title>Amazonian Buffet: The game is over: Bob wins by 2 hands to 1</title>" in DRAWING.svg(board, NAMES)
    words = DRAWING.words(board, NAMES)
    assert Counter(re.findall(r"(\w+) wins the \w+ hand: ", words)) == {"Bob": 2, "Ann": 1}
    assert DRAWING.svg(board, NAMES).count('class="glow"') == 3


def test_a_draw_and_empty_hands_are_said() -> None:
    board = board_of(after(len(EXAMPLE["moves"]))) | {
        "layouts": [[["KS"], ["2D"], []], [["QS"], ["3D"], []]],
        "comparisons": [
            {"winner": 1, "levels": [1, 1]},
            {"winner": 2, "levels": [1, 1]},
            {"winner": None, "levels": [0, 0]},
        ],
        "won": [1, 1],
    }
    assert "The game is over: a draw, one hand each." in DRAWING.text(board, NAMES)
    assert "The third hands: nobody wins\n  Ann: no cards (an empty hand)\n" in DRAWING.text(board, NAMES)
    assert "Nobody wins the third hand: both are empty." in DRAWING.words(board, NAMES)
    assert "a draw, one hand each" in DRAWING.svg(board, NAMES)


def test_the_poker_habit_is_mentioned() -> None:
    board = board_of(after(len(POKER["moves"]), POKER))
    assert "Equal kinds are compared as in poker: pairs and such first." in DRAWING.text(board, NAMES)
    assert "<title>Amazonian Buffet: The game is over: Ann wins by 2 hands to 1</title>" in DRAWING.svg(board, NAMES)


def uses(board: dict[str, Any], you: int | None) -> Counter[str]:
    root = ET.fromstring(DRAWING.svg(board, NAMES, you))  # noqa: S314 (made here)
    shown = [use for part in root if not part.tag.endswith("defs") for use in part.iter() if use.tag.endswith("use")]
    return Counter(use.attrib["href"].removeprefix("#buffet-") for use in shown)


@pytest.mark.parametrize("turns", [0, 1, 6, 20])
def test_every_card_stone_and_pawn_is_pictured(turns: int) -> None:
    board = board_of(after(turns))
    found, pools = uses(board, 1), [card for pool in board["pools"] for card in pool]
    stones = Counter(board["stones"].values())
    assert {kind: found[kind] for kind in found if re.fullmatch("[2-9TJQKA][SHDC]", kind)} == Counter(pools)
    assert Counter(kind[-1] for kind in found.elements() if kind.startswith("rank-")) == Counter(
        card[0] for row in board["grid"] for card in row
    )
    # One stone more of each colour stands beside each name.
    assert (found["black-stone"], found["white-stone"]) == (stones[1] + 1, stones[2] + 1)
    assert (found["black-pawn"], found["white-pawn"]) == (2, 2)


@pytest.mark.parametrize("turns", [BOARD_TURNS, BOARD_TURNS + 2, BOARD_TURNS + 3, BOARD_TURNS + 4])
def test_the_grid_is_pictured_to_the_end(turns: int) -> None:
    """Every card of it once more, as no more than its name, and a stone on each that was claimed."""
    board = board_of(after(turns))
    found, stones = uses(board, None), Counter(board["stones"].values())
    for kind, place in (("rank", 0), ("pip", 1)):
        names = Counter(card[place] for row in board["grid"] for card in row)
        assert {what: found[what] for what in found if what.startswith(kind)} == {
            f"{kind}-{name}": count for name, count in names.items()
        }
    # Two stones more of each colour stand beside each name: over the hands, and over the pool.
    assert (found["black-stone"], found["white-stone"]) == (stones[1] + 2, stones[2] + 2)
    assert (found["black-pawn"], found["white-pawn"]) == (2, 2)


def test_a_claimed_card_and_its_stone_stand_in_one_place() -> None:
    """On the left the card's name, on the right the stone of whoever claimed it."""
    board = board_of(after(len(EXAMPLE["moves"])))
    drawn = DRAWING.svg(board, NAMES)[DRAWING.svg(board, NAMES).rindex('class="felt"') :]
    places = re.findall(r'#buffet-(black|white)-stone" transform="translate\(([\d.]+) ([\d.]+)\)', drawn)
    columns, rows = (sorted({float(place[axis]) for place in places}) for axis in (1, 2))
    assert (len(columns), len(rows)) == (6, 8)
    assert {
        f"{'abcdef'[columns.index(float(x))]}{8 - rows.index(float(y))}": ("black", "white").index(colour) + 1
        for colour, x, y in places
    } == board["stones"]
