"""Answers to what somebody asks of a position: what stands where, where something is, what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.boards import drawing_for
from pbem.games import GAMES, Chance, Seat
from pbem.games.cards import DECK
from pbem.games.pyramids import TREEHOUSE
from tests.support.games.random_play import Match, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.boards import Board

NAMES = ("Ann", "Bob", "Cyd", "Dee")
SQUARES = [f"{file}{row}" for file in "abcdef" for row in range(1, 9)]
EVERYTHING = [*DECK, *TREEHOUSE, *SQUARES, *"abcd", "vault", "off", *map(str, range(25)), "tree 3", "card b", "spot 2"]


def boards(key: str, options: dict[str, object], positions: int = 60) -> Iterator[tuple[Seat, tuple[str, ...], Board]]:
    """Yield what each seat sees at positions of matches that are played at random, the last ones too."""
    game = GAMES[key]
    for number in range(4):
        match = Match(game, game.seats[0], options, bytes([number] * 32))
        turns = list(walk(match, Chance(match.seed)))
        step = max(1, len(turns) // positions)
        for position in (*(turn.before for turn in turns[::step]), turns[-1].after):
            for seat in range(1, match.seats + 1):
                yield Seat(seat), NAMES[: match.seats], game.board(position, Seat(seat))


@pytest.mark.parametrize(
    ("key", "options", "told"),
    [
        (
            "minimax",
            {},
            ["Card b holds ", " is empty.", "The vault holds ", " stands on card a", " pyramid, "],
        ),
        (
            "martian-whist",
            {"sets": 2},
            ["Tree 3 has ", "Tree 3 is empty.", "are held: Ann ", " and Bob ", "One is on top of tree "],
        ),
        (
            "amazonian-buffet",
            {},
            [
                "On b3 is the ", " under your pawn.", " under a pawn of Bob.", " claimed by you.", " claimed by Ann.",
                " lies on ", " is among the cards of Ann.", " is among the cards of Bob.",
            ],
        ),
        (
            "montauk",
            {"rounds": 1},
            [
                " is worth 0, and beats ", "It lies face down, as your lead.", "It is in your hand.",
                "It was shown in this round.", "It has not been shown in this round.", "On spot 2: Ann ",
                "In the vault: ",
            ],
        ),
        (
            "martian-trickery",
            {"hands": 1},
            [
                " is in your hand.", " lies in this trick, from ", " was played by ", " of this hand.",
                " has not been seen in this hand.", " in the middle", " won by ", "none in this hand",
            ],
        ),
    ],
)  # fmt: skip
def test_everything_on_a_board_can_be_asked_for(key: str, options: dict[str, object], told: list[str]) -> None:
    drawing = drawing_for(key)
    said: set[str] = set()
    for you, names, board in boards(key, options):
        for place in EVERYTHING:
            said.update(drawing.what(board, names, you, place))
    for fragment in told:
        assert any(fragment in one for one in said), fragment
    assert not any("{" in one or "None" in one for one in said)


@pytest.mark.parametrize("key", GAMES)
def test_what_is_no_place_is_nothing(key: str) -> None:
    for you, names, board in boards(key, {}, 5):
        for place in ("", "zz", "a0", "99", "tree 99", "the game", "R4", "1S"):
            assert drawing_for(key).what(board, names, you, place) == ()


@pytest.mark.parametrize(
    ("key", "options", "told"),
    [
        ("martian-whist", {"sets": 2}, ["You hold nothing.", "You hold one ", "You have won "]),
        (
            "amazonian-buffet",
            {},
            ["You have two cards: ", "The first hand that you sealed: "],
        ),
        ("montauk", {"rounds": 1}, [", worth ", "You hold no cards."]),
        (
            "martian-trickery",
            {"hands": 1},
            ["You hold the ", "You have won nothing in this hand yet.", "You have won "],
        ),
        ("middle-card", {}, ["You hold 0, "]),
    ],
)
def test_everybody_is_told_what_they_hold(key: str, options: dict[str, object], told: list[str]) -> None:
    said = {line for you, _names, board in boards(key, options, 300) for line in drawing_for(key).held(board, you)}
    for fragment in told:
        assert any(fragment in one for one in said), fragment


def test_hands_that_stay_are_told_as_such() -> None:
    you, _names, board = next(boards("amazonian-buffet", {}))
    told = drawing_for("amazonian-buffet").held({**board, "own": "keep"}, you)
    assert told[1:] == ("You have sealed your choice to keep your hands.",)


def test_nothing_is_held_where_nothing_is_hidden() -> None:
    assert not {
        line for you, _names, board in boards("minimax", {}) for line in drawing_for("minimax").held(board, you)
    }


def test_nobody_is_told_of_a_hidden_card() -> None:
    game = GAMES["montauk"]
    match = Match(game, 2, {}, bytes(32))
    turn = next(walk(match, Chance(match.seed)))
    other = Seat(3 - turn.seat)
    for position in (turn.before, turn.after):
        for card in turn.before.hands[turn.seat - 1].value:
            (_, seen) = drawing_for("montauk").what(game.board(position, other), NAMES[:2], other, card)
            assert seen == "It has not been shown in this round."
