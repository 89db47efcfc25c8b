"""Amazonian Buffet by its rulebook: the grid and its turns; the sections are named where a case shows what they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from pbem.games.amazonian_buffet import turns
from pbem.games.amazonian_buffet.turns import BOARD
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye
from pbem.games.squares import square_set
from tests.support.games.buffet_cases import (
    CHANCE,
    GAME,
    ONE,
    TWO,
    VECTORS,
    WORKED_EXAMPLE,
    dealt,
    misread,
    of_example,
    played,
    refusal,
    with_stones,
)

# -- the rulebook's own examples -------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(VECTORS["games"])))
def test_games(number: int) -> None:
    told = VECTORS["games"][number]
    chance = Chance(bytes.fromhex(told["seed"]))
    position = GAME.setup(told["players"], told["options"], chance)
    for (seat, move), count in zip(told["moves"], told["legal_counts"], strict=True):
        assert seat in GAME.to_move(position)
        assert GAME.read(position, seat, move) == move
        if count is not None:
            listed = list(GAME.moves(position, seat))
            assert len(listed) == len(set(listed)) == count
            assert all(GAME.allows(position, seat, legal) for legal in listed)
        position = GAME.apply(position, seat, move, chance)
    scores = (told["result"]["scores"]["1"], told["result"]["scores"]["2"])
    assert GAME.outcome(position) == Outcome(scores, tuple(told["result"]["winners"]))
    assert GAME.to_move(position) == ()


@pytest.mark.parametrize("case", VECTORS["illegal"], ids=lambda case: case["why"])
def test_illegal(case: dict[str, Any]) -> None:
    position = of_example(case["in_game"], case["after_moves"])
    seat, move = case["seat"], case["move"]
    assert not GAME.allows(position, seat, move)
    assert move not in islice(GAME.moves(position, seat), 1000)
    with pytest.raises((IllegalMove, InvalidMove)):
        GAME.read(position, seat, move)
    with pytest.raises(IllegalMove):
        GAME.apply(position, seat, move, CHANCE)


@pytest.mark.parametrize("case", VECTORS["refused_options"])
def test_refused_options(case: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GAME.setup(case["players"], case["options"], CHANCE)


def test_setup() -> None:
    """Setup: the grid row by row from a1, two cards to each seat, pawns on the corners; the worked example."""
    board = GAME.board(dealt(), Eye.PUBLIC)
    assert board["grid"] == [
        ["5H", "2H", "4H", "7H", "9D", "QH"],
        ["6H", "8C", "QD", "6S", "KH", "7C"],
        ["3H", "9H", "2C", "KC", "JD", "KD"],
        ["7D", "4S", "4D", "KS", "7S", "TD"],
        ["TH", "3D", "JC", "AS", "JH", "5D"],
        ["8D", "6D", "JS", "QC", "3C", "9C"],
        ["8H", "TC", "QS", "4C", "8S", "2D"],
        ["TS", "AD", "AH", "AC", "5S", "6C"],
    ]
    assert board["dealt"] == [["2S", "9S"], ["5C", "3S"]]
    assert board["pawns"] == [["a1", "f1"], ["a8", "f8"]]
    assert (board["stones"], board["stage"], board["compare"]) == ({}, "board", "cards")


def test_the_worked_example() -> None:
    position, counts = dealt(), []
    for move in WORKED_EXAMPLE:
        counts.append(len(list(GAME.moves(position, GAME.to_move(position)[0]))))
        position = played(move, position=position)
    assert counts == [60, 55, 74, 73, 33, 48]
    assert len(list(GAME.moves(position, ONE))) == 50
    board = GAME.board(position, Eye.PUBLIC)
    assert board["pools"] == [["KD", "TD", "9S", "7H", "2S"], ["AH", "QC", "8D", "5C", "3S"]]
    assert board["stones"] == {"d1": 1, "f3": 1, "f4": 1, "a6": 2, "d6": 2, "c8": 2}
    assert board["pawns"] == [["c4", "f1"], ["a4", "f6"]]
    assert [entry["claimed"] for entry in GAME.log(position, TWO) if isinstance(entry, dict)] == [
        "KD", "AH", "7H", "QC", "TD", "8D",
    ]  # fmt: skip


# -- turn order and who must act -------------------------------------------------------------------


def test_four_turns_in_a_row_without_a_claim_end_the_board_stage() -> None:
    position = played("a1-c3 none", "a8-c6 none", "c3-d3 none")
    assert (GAME.to_move(position), position.phase) == ((TWO,), "board")
    assert played("c6-d6 d8", position=position).idle == 0
    position = played("c6-d6 none", position=position)
    assert (GAME.to_move(position), position.phase) == ((ONE, TWO), "layout")


def test_stages_count_turns_and_both_sealed_steps_as_one_each() -> None:
    position, stages = of_example(0, 0), []
    chance = Chance(bytes(range(32)))
    for seat, move in VECTORS["games"][0]["moves"]:
        stages.append(GAME.stage(position))
        position = GAME.apply(position, seat, move, chance)
    assert stages == [*range(1, 36), 36, 36, 37, 37]
    assert GAME.stage(position) == 38


def test_pass_is_legal_only_when_no_pawn_can_move() -> None:
    """Moving: a seat must move if it can. Turn order: a pass counts as a turn that claims nothing."""
    shut_in = with_stones(square_set(BOARD.numbers[name] for name in ("a2", "b1", "b2", "e1", "e2", "f2")), 0, dealt())
    assert list(GAME.moves(shut_in, ONE)) == ["pass"]
    assert GAME.steps(shut_in, ONE, ()) == ("pass",)
    assert GAME.steps(shut_in, ONE, ("pass",)) == ()
    assert GAME.suggest(shut_in, ONE) == ("pass",)
    assert GAME.read(shut_in, ONE, "Pass.") == "pass"
    after = played("pass", position=shut_in)
    assert (after.idle, after.pawns, GAME.to_move(after)) == (1, shut_in.pawns, (TWO,))
    assert GAME.log(after, ONE)[-1] == {"seat": 1, "move": "pass", "stage": "board", "claimed": None}
    assert refusal(dealt(), ONE, "pass").startswith("You may pass only when neither pawn can move. You could play “a1-")


@pytest.mark.parametrize("moves", [(), ("a1-c3 f3", "a8-c6 c8")])
def test_slides_are_offered_as_they_are_listed(moves: tuple[str, ...]) -> None:
    """Moving: with pawns that share a row, and with pawns that share nothing."""
    position = played(*moves)
    slides = dict.fromkeys(move.split()[0] for move in GAME.moves(position, ONE))
    assert GAME.steps(position, ONE, ()) == tuple(slides)
    assert ("f1-b1" in slides) == bool(moves)


# -- legality of a board turn ----------------------------------------------------------------------


def test_a_claim_is_at_an_intersection_or_between_the_pawns() -> None:
    """Claiming: also on the square just left; what stands on the way does not matter."""
    assert GAME.steps(dealt(), ONE, ("a1-c3",)) == ("c1", "f3", "none")
    position = played("a1-c3 none", "a8-c6 none")
    assert GAME.steps(position, ONE, ("c3-c1",)) == ("d1", "e1", "none")
    assert GAME.steps(position, ONE, ("c3-f3",)) == ("f2", "none")
    field = turns.make_field((BOARD.numbers["c3"], BOARD.numbers["f3"]), dealt().field.other, 0)
    side_by_side = replace(dealt(), field=field)
    assert GAME.steps(side_by_side, ONE, ("c3-c6",)) == ("c3", "f6", "none")


@pytest.mark.parametrize(
    ("moves", "text", "reason"),
    [
        ((), "a8-b7 none", "The pawn on a8 is not yours; yours are on a1 and f1."),
        ((), "c4-d6 none", "There is no pawn on c4; yours are on a1 and f1."),
        ((), "a1-a1 none", "A pawn must move at least one square; it already stands on a1."),
        ((), "a1-b3 none", "straight or diagonally; b3 is not on a line with a1."),
        ((), "a1-b1 none", "b1 and f1 share row 1."),
        ((), "a1-f6 none", "must end on neither the row nor the file of the other pawn; f6 and f1 share file f."),
        ((), "a1-a8 none", "The way from a1 to a8 is blocked: there is a pawn on a8."),
        (("a1-c3 f3", "a8-c6 c8"), "f1-f5 none", "The way from f1 to f5 is blocked: there is a claim stone on f3."),
        (("a1-c3 f3", "a8-c6 c8"), "c3-c8 none", "The way from c3 to c8 is blocked: there is a pawn on c6."),
        ((), "a1-c3 d4", "You cannot claim d4 (KS): it is neither between your pawns nor where the row of one"),
        ((), "a1-c3 d4", "With a1-c3 you could claim c1 (4H) or f3 (KD)."),
        ((), "a1-c3 c3", "You cannot claim c3 (2C): there is a pawn on it."),
        (("a1-c3 f3", "a8-c6 c8"), "c3-b3 f3", "You cannot claim f3 (KD): there is a claim stone on it. With c3-b3"),
        ((), "a1-c3 5C", "The five of clubs is not on the board: it was dealt to a player."),
        ((), "a1-c3", "With a1-c3 you could claim c1 (4H) or f3 (KD). Add the square, as in “a1-c3 c1”"),
        ((), "a1-c3", "or claim nothing: “a1-c3 none”."),
        ((), "a1-b1", "b1 and f1 share row 1."),
    ],
)  # fmt: skip
def test_why_a_turn_is_not_legal(moves: tuple[str, ...], text: str, reason: str) -> None:
    assert reason in refusal(played(*moves), ONE, text)


def test_only_canonical_text_is_a_move() -> None:
    for move in ("A1-C3 F3", "a1-c3", "a1-c3  f3", "a1-c3 KD", "a1-c3 f3 ", "", "a1-c3 f3 none"):
        assert not GAME.allows(dealt(), ONE, Move(move))
        with pytest.raises(IllegalMove, match="You cannot play “"):
            GAME.apply(dealt(), ONE, Move(move), CHANCE)


def test_where_nothing_can_be_claimed_the_claim_may_be_left_out() -> None:
    """Move grammar: a bare pawn move stands for one that claims nothing, if it allows no claim."""
    position = with_stones(0, square_set((BOARD.numbers["c1"], BOARD.numbers["f3"])), dealt())
    assert GAME.read(position, ONE, "a1c3") == "a1-c3 none"
    assert GAME.steps(position, ONE, ("a1-c3",)) == ("none",)
    assert "you could claim nothing." in refusal(position, ONE, "a1-c3 d4")


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("a1c3f3", "a1-c3 f3"),
        ("a1 → c3, KD", "a1-c3 f3"),
        ("a1-c3 claim the king of diamonds", "a1-c3 f3"),
        ("a1 to c3 and take f3!", "a1-c3 f3"),
        ("A1-C3 xF3", "a1-c3 f3"),
        ("a1–c3 K♦️", "a1-c3 f3"),
        ("1. a1-c3 NONE", "a1-c3 none"),
        ("a1-c3 –", "a1-c3 none"),
        ("a1-c3 claim nothing", "a1-c3 none"),
    ],
)
def test_turns_typed_in_other_ways(typed: str, canonical: str) -> None:
    assert GAME.read(dealt(), ONE, typed) == canonical


@pytest.mark.parametrize("text", ["hello", "keep", "hands AS | - | -", "a1", "a1-c3 claim", "a1-c3 f3 f1", "1. hello"])
def test_what_is_no_turn(text: str) -> None:
    assert misread(dealt(), ONE, text).startswith("A turn is a pawn move and a claim, such as “a1-")


@pytest.mark.parametrize("text", ["g1-g5 none", "a1-a9 none", "a1-c3 h3"])
def test_squares_off_the_board(text: str) -> None:
    assert "files go from a to f, rows from 1 to 8" in misread(dealt(), ONE, text)


def test_not_your_turn() -> None:
    assert refusal(dealt(), TWO, "a8-c6 c8") == "It is not your turn."
    assert GAME.steps(dealt(), TWO, ()) == ()
    assert GAME.suggest(dealt(), TWO) == ()
    assert list(GAME.moves(dealt(), TWO)) == []
