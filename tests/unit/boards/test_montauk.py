"""The worked example of Montauk, as it is drawn (rulebook: Worked example)."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Eye, Move, Seat, Viewer
from pbem.games.montauk.cards import VALUE

DRAWING = drawing_for("montauk")
GAME = GAMES["montauk"]
CHANCE = Chance(bytes(range(32)))
NAMES = ("Ann", "Bob")
PLAYED = ["3S", "AC", "5-2 1-off", "TC", "3C", "4-1 4-off", "4-off", "8C", "2D", "6-4 4-2 2-off 2-off", "5-off"]


def after(turns: int, rounds: int = 12) -> Any:
    position = GAME.setup(2, {"rounds": rounds}, CHANCE)
    for move in PLAYED[:turns]:
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), CHANCE)
    return position


def ended() -> Any:
    position = after(11, 1)
    while to_move := GAME.to_move(position):
        position = GAME.apply(position, to_move[0], next(GAME.moves(position, to_move[0])), CHANCE)
    return position


def board_of(position: Any, viewer: Viewer = Eye.PUBLIC) -> dict[str, Any]:
    return GAME.board(position, viewer)


def told(position: Any, viewer: Viewer = Eye.PUBLIC) -> str:
    entry: Any = GAME.log(position, viewer)[-1]
    return DRAWING.tell(entry, NAMES)


def prompt(turns: int) -> str:
    position = after(turns)
    seat = GAME.to_move(position)[0]
    return DRAWING.prompt(board_of(position, seat), seat, tuple(GAME.moves(position, seat))).text


def test_text_while_the_lead_lies_face_down() -> None:
    assert DRAWING.text(board_of(after(1), Seat(2)), NAMES, 2) == (
        "Montauk\n"
        "Round 1 of 12, trick 1 of 6.\n"
        "Ann led a card face down, and Bob is to follow.\n"
        "\n"
        "The trick: a card from Ann (face down)\n"
        "\n"
        "Spot                         6   5   4   3   2   1  vault\n"
        "Ann                          0   0   3   0   1   2      0\n"
        "Bob (you)                    1   2   0   0   1   2      0\n"
        "\n"
        "Ann: no points, no nulls\n"
        "Bob (you): no points, no nulls\n"
        "Nulls in the middle: 3\n"
        "\n"
        "Your hand: QS (worth 6), QH (worth 6), AC (worth 1),\n"
        "      also TC (worth 4), QD (worth 6), 2D (worth 2)"
    )


def test_the_leader_alone_sees_the_lead() -> None:
    assert "The trick: 3S from Ann (still face down)\n" in DRAWING.text(board_of(after(1), Seat(1)), NAMES, 1)
    assert "3S" not in DRAWING.text(board_of(after(1)), NAMES)
    assert "three of spades" not in DRAWING.words(board_of(after(1)), NAMES)
    assert told(after(1)) == "Ann led a card, face down."
    assert told(after(1), Seat(1)) == "Ann led the three of spades."


def test_text_of_a_trick_with_an_extra_card() -> None:
    text = DRAWING.text(board_of(after(6)), NAMES)
    assert "Ann won the trick and is to use 6.\n" in text
    assert "The trick: TC from Bob (led), 3C from Ann (followed),\n      also 6H from the pile (extra)\n" in text
    assert "Cards shown in this round: 3S, 6H, AC, TC, 3C" in text


def test_words_tell_tracks_scores_and_cards() -> None:
    assert DRAWING.words(board_of(after(9), Seat(2)), NAMES, 2) == (
        "Round 1 of 12, trick 3 of 6.\n"
        "Bob won the trick and is to use 2 four times.\n"
        "Ann led the eight of clubs, and Bob followed with the two of diamonds.\n"
        "Ann has pyramids: one on spot 2 and three on spot 1, and two in the\n"
        "vault.\n"
        "Ann has three cards in hand, no nulls in this round, and no points from\n"
        "the rounds before.\n"
        "Bob (you) has pyramids: one on spot 6, one on spot 5, two on spot 2 and\n"
        "one on spot 1, and one in the vault.\n"
        "Bob (you) has three cards in hand, no nulls in this round, and no points\n"
        "from the rounds before.\n"
        "In the middle are three nulls.\n"
        "Shown in this round: the three of spades, the six of hearts, the ace of\n"
        "clubs, the ten of clubs, the eight of clubs, the three of clubs and\n"
        "the two of diamonds.\n"
        "You hold the queen of spades, the queen of hearts and the queen of\n"
        "diamonds."
    )


@pytest.mark.parametrize(
    ("turns", "sentence"),
    [
        (2, "Bob followed the three of spades with the ace of clubs and won the trick, with 1 and 3 to use."),
        (3, "Bob moved one pyramid from 5 to 2 and one pyramid from 1 off the track."),
        (6, """Ann moved one pyramid from 4 to 1 and one pyramid from 4 off the track.
            The extra card was the six of hearts, for 6 to use."""),
        (9, "Bob followed the eight of clubs with the two of diamonds and won the trick, with 2 four times to use."),
        (10, """Bob moved one pyramid from 6 to 4, one pyramid from 4 to 2 and two pyramids from 2 off the track.
            The extra card was the five of clubs, for 5 to use."""),
    ],
)  # fmt: skip
def test_each_move_is_told_with_what_came_of_it(turns: int, sentence: str) -> None:
    assert told(after(turns)) == " ".join(sentence.split())


def entry(**came: Any) -> dict[str, Any]:
    return {"seat": 2, "phase": "follow", "move": "KS", "led": "KC", "winner": 1, "to_use": []} | came


def test_a_trick_of_kings_and_a_null_are_told() -> None:
    came = entry(extra="KH", extra_to_use=[], null=1, null_for="won for nothing")
    assert DRAWING.tell(came, ("Ann", "You")) == (
        "You followed the king of clubs with the king of spades, and Ann won the trick. "
        "The extra card was the king of hearts, for nothing to use. "
        "A null for Ann: the trick was won, but no pyramid was borne off."
    )


def test_the_race_and_the_end_of_a_round_are_told() -> None:
    came = entry(
        phase="spend", move="1-off", first=2, null=1, null_for="under pressure", points=[-1, 9], scores=[3, 10]
    )
    assert DRAWING.tell(came, NAMES) == (
        "Bob moved one pyramid from 1 off the track. "
        "All six are off the track, and the race is won by Bob. "
        "A null for Ann: the trick was lost to a player whose track was empty. "
        "The round is over: minus one point for Ann and nine points for Bob. "
        "That makes 3 for Ann and 10 for Bob in all."
    )


def test_the_prompt_asks_for_a_card_or_for_steps() -> None:
    assert prompt(0) == (
        "You lead: name one card of your hand. It lies face down\nuntil it is followed.\n"
        "For example, 3S would be a move."
    )
    assert prompt(1).startswith("Follow with one card of your hand, whatever its suit.")
    assert prompt(6) == (
        "You won the trick and have 6 to use on your track. Each\n"
        "moves a pyramid that many spots down, or off. Write one step\n"
        "for each: the spot where a pyramid stands, a hyphen, and a\n"
        "lower spot or the word “off”.\n"
        "For example, 4-off would be a move."
    )
    assert DRAWING.prompt(board_of(after(6)), 2, ()).text == "There is nothing to play now."


def test_the_end_is_said() -> None:
    board = board_of(ended())
    first, second = board["scores"]
    winner = NAMES[0] if first > second else NAMES[1]
    said = f"{winner} wins by {max(first, second)} to {min(first, second)}"
    assert f"The game is over after one round.\n{said}." in DRAWING.text(board, NAMES)
    words = DRAWING.words(board, NAMES)
    assert " points in all." in words
    assert "in hand" not in words
    assert "from the rounds before" not in words
    assert f"<title>Montauk: {said}</title>" in DRAWING.svg(board, NAMES)


@pytest.mark.parametrize(
    ("pips", "said"),
    [([4, 4], "It is a draw at 7 all."), ([4, 9], "Ann wins: 7 all, and fewer pips left, 4 to 9."),
     ([9, 4], "Bob wins: 7 all, and fewer pips left, 4 to 9.")],
)  # fmt: skip
def test_equal_scores_are_decided_by_pips(pips: list[int], said: str) -> None:
    board = board_of(ended()) | {"scores": [7, 7], "pips": pips}
    assert said in DRAWING.text(board, NAMES).replace("\n", " ")
    assert f"  pips left over from finished rounds: {pips[0]}\n" in DRAWING.text(board, NAMES)


def test_who_is_first_and_who_took_nulls_is_shown() -> None:
    board = board_of(after(11), Seat(1))
    plain = DRAWING.svg(board, NAMES, 1)
    board |= {"first": 2, "nulls": [2, 0], "nulls_left": 1, "scores": [-3, 1]}
    assert "Ann (you): minus three points, two nulls\n" in DRAWING.text(board, NAMES, 1)
    assert "Bob: one point, no nulls\n  first to empty the track in this round\n" in DRAWING.text(board, NAMES, 1)
    assert "Bob was the first to empty the track.\n" in DRAWING.words(board, NAMES, 1)
    marked = DRAWING.svg(board, NAMES, 1)
    assert 'href="#montauk-K0"' not in plain
    assert marked.count('href="#montauk-K0"') == 2


def uses(board: dict[str, Any], you: int | None) -> Counter[str]:
    root = ET.fromstring(DRAWING.svg(board, NAMES, you))  # noqa: S314 (made here)
    shown = [use for part in root if not part.tag.endswith("defs") for use in part.iter() if use.tag.endswith("use")]
    kinds = (use.attrib["href"].removeprefix("#montauk-") for use in shown)
    return Counter(kind for kind in kinds if not kind.startswith("pip-"))


@pytest.mark.parametrize("turns", range(12))
@pytest.mark.parametrize("viewer", [Seat(1), Seat(2), Eye.PUBLIC])
def test_every_pyramid_and_every_card_that_is_known_is_pictured(turns: int, viewer: Viewer) -> None:
    board = board_of(after(turns), viewer)
    expected = Counter([*board["played"], *(board["hand"] or [])])
    expected.update(filter(None, (board["led"], board["followed"], board["extra"])))
    expected.update({"above-1": 6, "above-2": 6})
    if board["lead_lies"] and not board["led"]:
        expected["back"] += 1
    assert uses(board, None if isinstance(viewer, Eye) else viewer) == expected


def test_both_hands_are_shown_to_the_open_eye() -> None:
    board = board_of(after(11), Eye.OPEN)
    assert "Hand of Ann: TS, 9H, JD" in DRAWING.text(board, NAMES)
    assert uses(board, None).total() == uses(board_of(after(11)), None).total() + 6


def test_the_track_of_the_seat_that_looks_is_the_lower_one() -> None:
    for you, lower in ((1, "1"), (2, "2"), (None, "1")):
        picture = DRAWING.svg(board_of(after(0)), NAMES, you)
        assert picture.rindex("#montauk-above-" + lower) > picture.rindex("#montauk-above-" + "21"[int(lower) - 1])


def test_a_card_is_worth_what_the_rules_say() -> None:
    board = board_of(after(0))
    assert all(f"is worth {worth}," in DRAWING.what(board, NAMES, 1, card)[0] for card, worth in VALUE.items())
