"""The worked example of Martian Trickery, as it is drawn (rulebook: Worked example)."""

from collections import Counter
from itertools import islice
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Eye, Move, Seat, Viewer

DRAWING = drawing_for("martian-trickery")
GAME = GAMES["martian-trickery"]
CHANCE = Chance(bytes(range(32)))
NAMES = ("Ann", "Bob", "Cyd")
PLAYED = ["R3 AD", "JD", "6D", "K2 7C", "AC", "6C", "Y3 KH", "JH", "6H", "G1 JC", "6S", "QC", "R1 AS", "9S", "QS"]


def after(turns: int, **options: object) -> Any:
    position = GAME.setup(3, options, CHANCE)
    for move in PLAYED[:turns]:
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), CHANCE)
    return position


def ended(**options: object) -> Any:
    position = GAME.setup(3, options, CHANCE)
    while to_move := GAME.to_move(position):
        position = GAME.apply(position, to_move[0], next(GAME.moves(position, to_move[0])), CHANCE)
    return position


def board_of(position: Any, viewer: Viewer = Eye.PUBLIC) -> dict[str, Any]:
    return GAME.board(position, viewer)


def told(position: Any) -> str:
    entry: Any = GAME.log(position, Eye.PUBLIC)[-1]
    return DRAWING.tell(entry, NAMES)


def prompt(position: Any) -> str:
    seat = GAME.to_move(position)[0]
    return DRAWING.prompt(board_of(position, seat), seat, tuple(islice(GAME.moves(position, seat), 200))).text


def test_text_of_a_trick_that_is_followed() -> None:
    assert DRAWING.text(board_of(after(11), Seat(1)), NAMES, 1) == (
        "Martian Trickery\n"
        "Hand 1 of 4, trick 4 of 12.\n"
        "Bob led for the small green; Ann is to follow.\n"
        "\n"
        "In the middle: R1, R2, Y1, Y2, G2, G3, K1, K3\n"
        "Spades are broken.\n"
        "Prize G1: JC from Bob, 6S from Cyd\n"
        "\n"
        "Ann (you), nine cards: no points\n"
        "  won: R3 = 1\n"
        "Bob, eight cards: no points\n"
        "  won: K2, Y3 = 1\n"
        "Cyd, eight cards: no points, dealer\n"
        "  won: nothing yet\n"
        "\n"
        "Your hand:\n"
        "  spades:   KS, JS, 9S\n"
        "  hearts:   8H, 7H\n"
        "  clubs:    KC, QC\n"
        "  diamonds: TD, 9D"
    )


def test_text_before_a_lead_tells_the_last_trick() -> None:
    text = DRAWING.text(board_of(after(15)), NAMES)
    assert "Cyd is to lead.\n" in text
    assert "Last trick: AS from Cyd, 9S from Ann, QS from Bob\n            won by Cyd, with R1\n" in text
    assert "Your hand" not in text


def test_words_tell_the_table_and_the_own_hand() -> None:
    words = DRAWING.words(board_of(after(15), Seat(3)), NAMES, 3)
    assert words.startswith(
        "Hand 1 of 4, trick 6 of 12.\n"
        "Cyd is to lead.\n"
        "The prizes in the middle are the medium red, the small yellow,\n"
        "the medium yellow, the medium green, the large green, the small black\n"
        "and the large black.\n"
        "Spades are broken.\n"
        "In the last trick lay the ace of spades from Cyd, the nine of spades\n"
        "from Ann and the queen of spades from Bob; Cyd won it, and with it the\n"
        "small red.\n"
    )
    assert "Cyd (you) has seven cards in hand and no points in all.\n" in words
    assert words.endswith(
        "You hold the ten of spades, the eight of spades, the seven of spades,\n"
        "the queen of hearts, the king of diamonds, the eight of diamonds and\n"
        "the seven of diamonds."
    )
    assert "You hold" not in DRAWING.words(board_of(after(15)), NAMES)


@pytest.mark.parametrize(
    ("turns", "sentence"),
    [
        (1, "Ann led the ace of diamonds for the prize R3."),
        (2, "Bob played the jack of diamonds."),
        (3, "Cyd played the six of diamonds, and Ann won the trick and the large red."),
        (11, "Cyd played the six of spades. Spades are broken now."),
    ],
)
def test_each_card_is_told_with_what_came_of_it(turns: int, sentence: str) -> None:
    assert told(after(turns)) == sentence


def test_the_end_of_a_hand_is_told() -> None:
    entry = {
        "seat": 2, "move": "KS", "winner": 2, "prize": "K1",
        "hand_number": 1, "hand_scores": [7, -2, 1], "next_dealer": 1,
    }  # fmt: skip
    assert DRAWING.tell(entry, ("Ann", "You", "Cyd")) == (
        "You played the king of spades and won the trick and the small black. "
        "That was hand 1: seven points for Ann, minus two points for You and one point for Cyd. "
        "A new hand was dealt, with Ann as the dealer."
    )
    last = {**entry, "winners": [1]}
    del last["next_dealer"]
    assert DRAWING.tell(last, NAMES).endswith("one point for Cyd. The match went to Ann.")


def test_the_prompt_tells_what_may_be_played() -> None:
    assert prompt(after(0)) == (
        "You lead: name a prize from the middle, then a card of\n"
        "yours. Spades may not be led yet unless you hold nothing\n"
        "else.\n"
        "For example, R1 8H would be a move."
    )
    assert prompt(after(15)) == (
        "You lead: name a prize from the middle, then a card of\nyours.\nFor example, R2 TS would be a move."
    )
    assert prompt(after(11)) == (
        "Follow suit: clubs were led for the small green, and you\nhold clubs.\nFor example, KC would be a move."
    )
    assert prompt(after(10)).startswith("You hold no clubs, the suit led for the small green, so any\ncard may")
    assert DRAWING.prompt(board_of(after(10)), 1, ()).text == "There is nothing to play now."


def test_the_end_is_said() -> None:
    position = ended(hands=1)
    board, outcome = board_of(position), GAME.outcome(position)
    assert outcome is not None
    winner, best = NAMES[outcome.winners[0] - 1], max(outcome.scores)
    text, words = DRAWING.text(board, NAMES, 1), DRAWING.words(board, NAMES, 1)
    hands = len(board["hand_scores"])
    assert f"{winner} wins with " in text
    assert f"\nHand {hands}: {', '.join(map(str, board['hand_scores'][-1]))}" in text
    assert f"{winner} wins with " in words
    assert "cards in hand" not in words
    assert ("0 points" in text) == (best == 0)
    assert told(position).endswith(f"The match went to {winner}.")
    assert 'class="accent"' in DRAWING.svg(board, NAMES, 1)


def test_a_hand_beyond_those_agreed_is_a_tie_break() -> None:
    board = board_of(after(1)) | {"hand_number": 5}
    assert "Hand 5, to break the tie, trick 1 of 12." in DRAWING.text(board, NAMES)
    assert "Martian Trickery: Hand 5, to break the tie, trick 1 of 12" in DRAWING.svg(board, NAMES)


def uses(board: dict[str, Any], you: int | None) -> Counter[str]:
    root = ET.fromstring(DRAWING.svg(board, NAMES, you))  # noqa: S314 (made here)
    shown = [use for part in root if not part.tag.endswith("defs") for use in part.iter() if use.tag.endswith("use")]
    return Counter(use.attrib["href"].removeprefix("#trickery-") for use in shown)


@pytest.mark.parametrize("turns", [0, 1, 3, 11, 15])
def test_every_prize_and_every_card_that_is_known_is_pictured(turns: int) -> None:
    board = board_of(after(turns), Seat(1))
    past = board["tricks"][-1] if board["tricks"] and not board["trick"] else None
    trick = past["cards"] if past else board["trick"]
    expected = Counter([*board["middle"], *board["hand"], *(laid["card"] for laid in trick)])
    expected.update(prize for haul in board["won"] for prize in haul)
    expected.update(filter(None, [past["prize"] if past else board["prize"]]))
    expected["pip-S"] += 1
    assert uses(board, 1) == expected


def raised(turns: int) -> list[int]:
    """Count the cards of each height in the hand of the seat to move."""
    position = after(turns)
    seat = GAME.to_move(position)[0]
    board = board_of(position, seat)
    root = ET.fromstring(DRAWING.svg(board, NAMES, seat))  # noqa: S314 (made here)
    places = [use.attrib["transform"] for use in root.iter() if use.attrib.get("href", "")[-2:] in board["hand"]]
    heights = Counter(place.split(")")[0].split()[1] for place in places)
    return [count for _, count in sorted(heights.items(), key=lambda pair: float(pair[0]))]


def test_the_cards_that_may_be_played_stand_higher() -> None:
    for turns in (0, 1, 11):
        position = after(turns)
        seat = GAME.to_move(position)[0]
        hand = board_of(position, seat)["hand"]
        may = {move[-2:] for move in GAME.moves(position, seat)}
        assert raised(turns) == [len(may), len(hand) - len(may)]
    assert len(raised(15)) == 1


def test_all_hands_are_shown_to_the_open_eye() -> None:
    board = board_of(after(15), Eye.OPEN)
    text = DRAWING.text(board, NAMES)
    assert "Hand of Cyd: TS, 8S, 7S, QH, KD, 8D, 7D" in text
    assert "Cyd holds the ten of spades" in DRAWING.words(board, NAMES)
    assert uses(board, None).total() == uses(board_of(after(15)), None).total() + 21


def test_two_stashes_have_three_prizes_of_each_kind() -> None:
    board = board_of(GAME.setup(3, {"prizes": "two-stash"}, CHANCE))
    assert uses(board, None) == Counter(board["middle"]) + Counter(["pip-S"])
    assert "Every tree is worth 5 in this match" in DRAWING.text(board, NAMES)
