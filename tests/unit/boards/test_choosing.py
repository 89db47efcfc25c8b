"""Where the pictures are touched to choose a move, and what they show in the middle of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards import drawing_for
from pbem.boards.minimax.examples import FRESH

if TYPE_CHECKING:
    from pbem.boards import Board

WHEEL: Board = FRESH
SLIDES = ("a4-d1", "f1-d1")


def test_a_pyramid_that_can_only_stand_alone_falls_by_one_touch() -> None:
    touches = drawing_for("minimax").touches(WHEEL, 1, ("sow a",), ("G1", "R3", "R3/B2/R1"))
    assert touches == {"G1": ("a G1",), "R3": ("a R3",), "R3/B2/R1": ("a R3",)}


def test_a_pyramid_that_may_be_stacked_is_touched_and_then_where_it_goes() -> None:
    touches = drawing_for("minimax").touches(WHEEL, 1, ("sow a", "R3"), ("G1", "G1 on G2", "G1 on Y2"))
    assert touches == {
        "G1": ("a G1", "sow c"),
        "G1 on G2": ("a G1", "c G2"),
        "G1 on Y2": ("a G1", "c Y2"),
    }


def test_a_wheel_is_drawn_with_the_drops_made_so_far() -> None:
    wheel = drawing_for("minimax").during(WHEEL, 1, ("sow a", "Y3", "G1 on Y2"))["wheel"]
    stacks = {card["card"]: card["stacks"] for card in wheel}
    assert stacks["a"] == [("R3", "B2", "R1")]
    assert stacks["b"] == [("Y3",)]
    assert ("Y2", "G1") in stacks["c"]
    assert [card["card"] for card in wheel if card["may_sow"]] == ["a"]


def test_a_reason_says_what_a_sowing_brings_and_what_comes_next() -> None:
    (reason,) = drawing_for("minimax").reasons(WHEEL, ("Ann",), 1, ("sow a Y3, G1, R3/B2/R1",))
    assert reason == "It brings no points, and card d is sown next."


def test_a_reason_for_the_first_pyramid_warns_of_the_swap() -> None:
    board = {"stashes": [[], []], "trees": [{"number": 1, "pieces": ["G3", "B2", "R1"]}]}
    (reason,) = drawing_for("martian-whist").reasons(board, ("Ann", "Bob"), 1, ("take 1",))
    assert reason == "You get the small red, unless Bob swaps and takes it from you."


def test_a_pawn_is_touched_and_then_its_square() -> None:
    drawing = drawing_for("amazonian-buffet")
    assert drawing.touches({}, 1, (), SLIDES) == {"a4-d1": ("a4", "d1"), "f1-d1": ("f1", "d1")}
    assert drawing.touches({}, 1, ("a4-d1",), ("b3", "none")) == {"b3": ("b3",)}
    assert drawing.resting({}, 1, ("a4-d1", "b3")) == {"d1": 0, "b3": 1}


def test_a_moved_pawn_is_drawn_on_its_new_square() -> None:
    board = {"pawns": [["a4", "f1"], ["a8", "f8"]]}
    assert drawing_for("amazonian-buffet").during(board, 1, ("a4-d1",))["pawns"] == [["d1", "f1"], ["a8", "f8"]]


def test_a_card_is_taken_out_of_a_hand_and_the_others_stay() -> None:
    drawing = drawing_for("amazonian-buffet")
    assert drawing.without(("KS", "9H", "|", "2C"), 0) == ("9H", "|", "2C")
    assert drawing.without(("a4-d1", "b3"), 0) == ()


def test_steps_are_touched_from_spot_to_spot_and_drawn_as_made() -> None:
    drawing = drawing_for("montauk")
    board = {
        "to_use": [3, 3],
        "tracks": [{"spots": [0, 0, 1, 0, 0, 2], "off": 3}, {"spots": [6, 0, 0, 0, 0, 0], "off": 0}],
    }
    assert drawing.touches(board, 1, (), ("6-3", "3-off")) == {
        "6-3": ("spot 6", "spot 3"),
        "3-off": ("spot 3", "vault"),
    }
    assert drawing.during(board, 1, ("6-3", "3-off"))["tracks"][0] == {"spots": [0, 0, 1, 0, 0, 1], "off": 4}


def test_a_swap_and_a_pass_are_on_no_picture() -> None:
    assert drawing_for("martian-whist").touches({}, 1, (), ("take 1", "swap", "pass")) == {"take 1": ("take 1",)}


def test_a_legend_tells_the_black_pyramid_from_the_king() -> None:
    assert "K1 is the small black pyramid; KH is the king of hearts." in drawing_for("martian-trickery").legend


def test_a_good_result_is_named() -> None:
    assert "10 points are usual" in drawing_for("minimax").goal(WHEEL)
