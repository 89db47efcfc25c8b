"""The worked example of Minimax, as it is drawn (rulebook: Worked example)."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Eye, Move, Seat

DRAWING = drawing_for("minimax")
GAME = GAMES["minimax"]
CHANCE = Chance(bytes(range(32)))
PLAYED = (
    "sow d Y1, B2 on R3, B1",
    "sow b Y2, G3, B1, R1 on R3/B2",
    "sow a Y3, G1 on Y2, R3/B2/R1",
    "sow d R1, B2, R3, G3",
    "sow c Y2, G2, B3, G3, G1, R2",
    "sow d R2, Y2 on B3",
    "sow a B2 on G3, Y2, B3",
)


def after(turns: int) -> Any:
    position = GAME.setup(1, {}, CHANCE)
    for move in PLAYED[:turns]:
        position = GAME.apply(position, Seat(1), Move(move), CHANCE)
    return position


def board_after(turns: int) -> dict[str, Any]:
    return GAME.board(after(turns), Eye.PUBLIC)


def test_text_of_a_free_choice() -> None:
    assert DRAWING.text(board_after(0), ("Ann",), 1) == (
        "Minimax, small game of Ann: no points\n"
        "Any card that is not empty may be sown now.\n"
        "\n"
        "Card a (sow): G1, R3, Y3\n"
        "Card b (sow): G3, R1, Y2\n"
        "Card c (sow): B3, G2, R2\n"
        "Card d (sow): B1, B2, Y1\n"
        "The vault:    empty\n"
        "\n"
        "Fresh trees: none\n"
        "\n"
        "Stacks are bottom to top. Sow a, b, c, d, vault, a, …"
    )


def test_text_with_a_fresh_tree() -> None:
    text = DRAWING.text(board_after(2), ("Ann",))
    assert "Minimax, small game of Ann: two points\nCard a must be sown now.\n" in text
    assert "Card a (sow): G1, R3/B2/R1, Y3\n" in text
    assert "Card b:       empty\n" in text
    assert "Fresh trees: R3/B2/R1 on a\n" in text


def test_words_of_a_fresh_tree() -> None:
    assert DRAWING.words(board_after(2), ("Ann",)) == (
        "Ann has two points.\n"
        "Card a holds one small green, one tree of small red over medium blue\n"
        "over large red and one large yellow.\n"
        "A fresh tree on card a may be sown whole: small red over medium blue\n"
        "over large red.\n"
        "Card b is empty.\n"
        "Card c holds one large blue, one medium green, one medium red and one\n"
        "medium yellow.\n"
        "Card d holds one large green.\n"
        "The vault holds one small blue and one small yellow.\n"
        "Card a must be sown now."
    )


def test_words_of_the_end() -> None:
    words = DRAWING.words(board_after(7), ("Ann",))
    assert "Ann has five points." in words
    assert "Card b holds one stack of medium blue over large green, one large red" in words
    assert words.endswith("Game over, the wheel is not cleared.")


TOLD = {
    1: """Ann sowed card d: Y1 to the vault, B2 onto R3 at a and B1 to b.
        Card b must be sown next, with one point so far.""",
    2: """Ann sowed card b: Y2 to c, G3 to d, B1 to the vault and R1 onto R3/B2 at a.
        That finished R3/B2/R1 as a tree. Card a must be sown next, with two points so far.""",
    3: """Ann sowed card a: Y3 to b, G1 onto Y2 at c and the tree R3/B2/R1 whole to d.
        Card d must be sown next, with two points so far.""",
    7: """Ann sowed card a: B2 onto G3 at b, Y2 to c and B3 to d.
        The last drop fell on an empty card: the game is over, with five points.""",
}


@pytest.mark.parametrize("turn", TOLD)
def test_each_turn_is_told_with_what_came_of_it(turn: int) -> None:
    entry: Any = GAME.log(after(turn), Eye.PUBLIC)[-1]
    assert DRAWING.tell(entry, ("Ann",)) == " ".join(TOLD[turn].split())


def entry(**came: Any) -> dict[str, Any]:
    return {
        "seat": 1,
        "move": "sow d R1",
        "score": 28,
        "next": None,
        "trees": [],
        "ended": False,
        "cleared": False,
    } | came


def test_a_last_drop_on_the_vault_frees_the_choice() -> None:
    told = DRAWING.tell(entry(next="any"), ("Ann",))
    assert told.endswith("The last drop fell on the vault: any card may be sown next, with 28 points so far.")


def test_a_cleared_wheel_and_two_trees_are_told() -> None:
    told = DRAWING.tell(entry(cleared=True, ended=True, trees=[["R3", "R2", "R1"], ["Y3", "G2", "B1"]]), ("Ann",))
    assert "That finished R3/R2/R1 and Y3/G2/B1 as trees." in told
    assert told.endswith("Everything is in the vault: the wheel is cleared, for 28 points.")


def test_the_prompt_names_the_cards_and_gives_a_legal_example() -> None:
    free = DRAWING.prompt(board_after(0), 1, tuple(GAME.moves(after(0), Seat(1)))).text
    assert free.startswith("Choose a card that is not empty (a, b, c, d) and sow all of\nit: ")
    bound = DRAWING.prompt(board_after(5), 1, tuple(GAME.moves(after(5), Seat(1)))).text
    assert bound.startswith("Sow card d with all that is on it: ")
    example = bound.replace("\n", " ").split("For example: ")[1]
    assert GAME.allows(after(5), Seat(1), Move(example))


def test_there_is_no_prompt_when_it_is_over() -> None:
    assert DRAWING.prompt(board_after(7), 1, ()).text == "There is nothing to sow now."


def cleared() -> dict[str, Any]:
    empty = [{"card": card, "stacks": [], "fresh": [], "may_sow": False} for card in "abcd"]
    vault = {"card": "vault", "stacks": [[c + "3", c + "2", c + "1"] for c in "RYGB"], "fresh": [], "may_sow": False}
    return {"size": "small", "over": True, "cleared": True, "wheel": [*empty, vault], "free": False, "score": 28}


def test_a_cleared_wheel_is_said_to_be() -> None:
    assert "game of Ann: 28 points\nThe wheel is cleared.\n" in DRAWING.text(cleared(), ("Ann",))
    assert "<title>Minimax: Ann, 28 points</title>" in DRAWING.svg(cleared(), ("Ann",))


@pytest.mark.parametrize("turns", range(len(PLAYED) + 1))
def test_every_pyramid_stands_in_the_picture_and_in_the_text(turns: int) -> None:
    board = board_after(turns)
    standing = sorted(pyramid for card in board["wheel"] for stack in card["stacks"] for pyramid in stack)
    uses = ET.fromstring(DRAWING.svg(board, ("Ann",), 1)).iter("{http://www.w3.org/2000/svg}use")  # noqa: S314 (made here)
    assert sorted(use.attrib["href"].removeprefix("#minimax-") for use in uses) == standing
    stacks = DRAWING.text(board, ("Ann",)).split("\n\n")[1]
    assert sorted(re.findall("[RYGB][123]", stacks)) == standing


def test_the_cards_that_may_be_sown_are_lit_and_a_fresh_tree_is_framed() -> None:
    assert DRAWING.svg(board_after(0), ("Ann",)).count('class="glow"') == 4
    bound = DRAWING.svg(board_after(2), ("Ann",))
    assert bound.count('class="glow"') == 1
    assert bound.count('stroke-dasharray="1 7"') == 1
    assert 'class="glow"' not in DRAWING.svg(board_after(7), ("Ann",))


def test_a_crowded_card_grows_and_its_text_goes_on_with_a_word() -> None:
    board = board_after(0)
    board["wheel"][0]["stacks"] = [["R3", "B2", "R1"]] * 3 + [["G1"], ["Y3"], ["B2"]] * 4
    board["size"] = "long"
    text = DRAWING.text(board, ("Ann",))
    assert "\n         also " in text
    assert "three trees of small red over medium blue over large red" in DRAWING.words(board, ("Ann",)).replace(
        "\n", " "
    )
    assert height(board) > height(board_after(0))


def height(board: dict[str, Any]) -> float:
    root = ET.fromstring(DRAWING.svg(board, ("Ann",)))  # noqa: S314 (made here)
    return float(root.attrib["viewBox"].split()[3])
