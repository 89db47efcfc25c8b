"""The worked example of Martian Whist, as it is drawn (rulebook: Worked example)."""

import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_for
from pbem.boards.pyramid_words import stack_name
from pbem.games import GAMES, Chance, Eye, Move, Seat

DRAWING = drawing_for("martian-whist")
GAME = GAMES["martian-whist"]
CHANCE = Chance(bytes(range(32)))
NAMES = ("Ann", "Bob")
DRAFTED = ("take 1", "swap", "take 7", "take 1", "take 10", "take 10")


def after(*moves: str) -> Any:
    position = GAME.setup(2, {"sets": 2}, CHANCE)
    for move in moves:
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), CHANCE)
    return position


def drafted(tricks_moves: int) -> Any:
    position = GAME.setup(2, {"sets": 2}, CHANCE)
    for _ in range(30 + tricks_moves):
        seat = GAME.to_move(position)[0]
        position = GAME.apply(position, seat, next(GAME.moves(position, seat)), CHANCE)
    return position


def board_of(position: Any) -> dict[str, Any]:
    return GAME.board(position, Eye.PUBLIC)


def told(position: Any) -> str:
    entry: Any = GAME.log(position, Eye.PUBLIC)[-1]
    return DRAWING.tell(entry, NAMES)


def test_text_of_the_draft() -> None:
    assert DRAWING.text(board_of(after(*DRAFTED)), NAMES, 1) == (
        "Martian Whist\n"
        "The draft, up to 5 of each size for each player.\n"
        "\n"
        "Trees, bottom to top; the last one is free to take:\n"
        " 1 Y3           2 R3/Y2/G1     3 K3/Y2/Y1     4 R3/G2/B1\n"
        " 5 G3/K2/R1     6 G3/B2/G1     7 Y3/R2        8 K3/G2/B1\n"
        " 9 B3/B2/Y1    10 B3\n"
        "\n"
        "Stash of Ann (you):\n"
        "             red  yellow   green    blue   black\n"
        "  large        0       0       0       0       0  = 0/5\n"
        "  medium       0       0       0       0       0  = 0/5\n"
        "  small        1       0       0       0       1  = 2/5\n"
        "\n"
        "Stash of Bob:\n"
        "             red  yellow   green    blue   black\n"
        "  large        0       0       0       0       0  = 0/5\n"
        "  medium       1       0       0       0       1  = 2/5\n"
        "  small        0       0       0       0       1  = 1/5"
    )


def test_words_of_the_draft() -> None:
    words = DRAWING.words(board_of(after(*DRAFTED)), NAMES, 2)
    assert "Tree 1 has large yellow alone.\n" in words
    assert "Tree 7 has medium red over large yellow.\n" in words
    assert words.endswith(
        "Ann holds one small red and one small black.\n"
        "Bob (you) holds one medium red, one small black and one medium black."
    )


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (DRAFTED[:1], "Ann took the small black from tree 1; a medium red is now on top."),
        (DRAFTED[:2], "Bob swapped, and now has the small black that Ann had just taken."),
        (
            ("take 1", "take 1", "take 2", "take 1"),
            "Bob took the large yellow from tree 1; nothing is left of that tree.",
        ),
    ],
)
def test_the_draft_is_told(moves: tuple[str, ...], sentence: str) -> None:
    assert told(after(*moves)) == sentence


def test_a_pass_is_told() -> None:
    entry = {"seat": 2, "move": "pass", "took": None, "under": None, "winner": None}
    assert DRAWING.tell(entry, NAMES) == "Bob could take nothing and had to pass."


def test_the_tricks_are_told() -> None:
    led = board_of(drafted(1))
    leader = NAMES[led["leader"] - 1]
    assert told(drafted(1)) == f"{leader} led {'/'.join(led['led'])} to open a trick."
    trick = board_of(drafted(2))["history"][0]
    follower, winner = NAMES[2 - trick["leader"]], NAMES[trick["winner"] - 1]
    assert told(drafted(2)) == f"{follower} followed with {'/'.join(trick['followed'])}, and {winner} won the trick."


def test_the_draft_is_asked_for_with_the_swap_where_there_is_one() -> None:
    first, second = after(), after("take 1")
    assert DRAWING.prompt(board_of(first), 1, tuple(GAME.moves(first, Seat(1)))).text == (
        "Take the top pyramid of a tree by the tree's number; you may\nhave 5 of each size.\nFor example: take 1"
    )
    asked = DRAWING.prompt(board_of(second), 2, tuple(GAME.moves(second, Seat(2)))).text
    assert "Or swap: the small black just taken becomes yours instead.\n" in asked


def test_a_pass_is_asked_for_where_nothing_can_be_taken() -> None:
    asked = DRAWING.prompt(board_of(after()), 1, ("pass",)).text
    assert asked == "You can take nothing now, so you must pass.\nFor example: pass"


def test_a_lead_and_a_follow_are_asked_for() -> None:
    lead, follow = drafted(0), drafted(1)
    moves = tuple(GAME.moves(lead, GAME.to_move(lead)[0]))
    assert DRAWING.prompt(board_of(lead), 1, moves).text.endswith(f"\nFor example: {moves[0]}")
    asked = DRAWING.prompt(board_of(follow), 2, tuple(GAME.moves(follow, GAME.to_move(follow)[0]))).text
    assert asked.startswith(f"Follow {'/'.join(board_of(follow)['led'])} with a tree of yours, ")


def test_there_is_no_prompt_when_it_is_over() -> None:
    assert DRAWING.prompt(board_of(drafted(10)), 1, ()).text == "There is nothing to play now."


def test_text_of_the_tricks() -> None:
    board = board_of(drafted(3))
    text = DRAWING.text(board, NAMES, 1)
    leader, other, trick = NAMES[board["leader"] - 1], NAMES[2 - board["leader"]], board["history"][0]
    assert f"Trick 2 of 5: {leader} led {'/'.join(board['led'])} for {other} to follow." in text
    assert (
        f"Trick  1: {'/'.join(trick['led'])}, then {'/'.join(trick['followed'])}; {NAMES[trick['winner'] - 1]} won"
        in text
    )
    led = stack_name(tuple(board["led"]))
    said = f"Trick 2 of 5: {leader} led {led}, and {other} is to follow.\n"
    assert said in DRAWING.words(board, NAMES).replace("\n", " ").replace(". ", ".\n")
    assert "Ann (you) has won " in DRAWING.words(board, NAMES, 1)


def test_text_before_a_lead() -> None:
    board = board_of(drafted(0))
    leader = NAMES[board["leader"] - 1]
    assert f"Trick 1 of 5: {leader} is to lead." in DRAWING.text(board, NAMES)
    assert "Ann: no tricks won, no points" in DRAWING.text(board, NAMES)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([8, 1], "The game is over: Ann wins by 8 to 1."),
        ([1, 8], "The game is over: Bob wins by 8 to 1."),
        ([4, 4], "The game is over: a draw at 4 all."),
    ],
)
def test_the_end_is_said(scores: list[int], said: str) -> None:
    board = board_of(drafted(10)) | {"scores": scores}
    assert said in DRAWING.text(board, NAMES)
    assert said in DRAWING.words(board, NAMES)
    assert " holds " not in DRAWING.words(board, NAMES)
    assert f"<title>Martian Whist: {said.removesuffix('.')}</title>" in DRAWING.svg(board, NAMES, 2)


def pictured(board: dict[str, Any]) -> Counter[str]:
    uses = ET.fromstring(DRAWING.svg(board, NAMES, 1)).iter("{http://www.w3.org/2000/svg}use")  # noqa: S314 (made here)
    kinds = (use.attrib["href"].removeprefix("#whist-") for use in uses)
    return Counter(kind for kind in kinds if re.fullmatch("[RYGBK][123]", kind))


def test_every_tree_of_the_draft_is_pictured() -> None:
    for position in (after(), after(*DRAFTED)):
        board = board_of(position)
        assert pictured(board) == Counter(pyramid for tree in board["trees"] for pyramid in tree["pieces"])


@pytest.mark.parametrize("moves", [0, 1, 2, 5, 10])
def test_every_tree_of_the_tricks_is_pictured(moves: int) -> None:
    board = board_of(drafted(moves))
    won = Counter(pyramid for trees in board["won"] for tree in trees for pyramid in tree)
    if board["led"]:
        won += Counter(board["led"])
    elif board["history"]:
        won += Counter(board["history"][-1]["led"] + board["history"][-1]["followed"])
    assert pictured(board) == won


def test_every_pyramid_of_a_stash_is_counted_in_the_text() -> None:
    board = board_of(drafted(4))
    rows = re.findall(
        r"^  (large|medium|small) +(\d) +(\d) +(\d) +(\d) +(\d)$", DRAWING.text(board, NAMES), re.MULTILINE
    )
    counts = {"large": "3", "medium": "2", "small": "1"}
    found = [
        Counter({colour + counts[row[0]]: int(count) for colour, count in zip("RYGBK", row[1:], strict=True)})
        for row in rows
    ]
    assert sum(found[:3], Counter()) == Counter(board["stashes"][0])
    assert sum(found[3:], Counter()) == Counter(board["stashes"][1])
