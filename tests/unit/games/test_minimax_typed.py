"""What people write for a move of Minimax, and why it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move
from pbem.games.hidden import Seat
from tests.support.examples import examples
from tests.support.games.minimax_cases import GAME, NO_CHANCE, ONE, after_moves, laid, played_on, refusal

if TYPE_CHECKING:
    from pbem.games.minimax.game import Position


def misread(position: Position, text: str) -> str:
    with pytest.raises(InvalidMove) as refused:
        GAME.read(position, ONE, text)
    return str(refused.value)


# -- what people write -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "SOW   D  y1 ,b2 ON r3;b1.",
        "sow d: Y1; B2 → R3; B1!",
        "d Y1, B2 -> R3, B1",
        "d Y1 B2 => R3 B1",
        "1. sow d Y1, B2 on R3, B1",
        "- d y1 b2 @ r3 b1",
        "— d y1 b2 @ r3 b1",
        "sow d small yellow, medium blue on large red, small blue",
        "sow d: klein gelb, mittel blau > groß rot, klein blau",
        "dY1,B2@R3,B1",
        "".join(chr(ord(letter) + 0xFEE0) if letter != " " else "\u3000" for letter in "sow d Y1, B2 on R3, B1"),
    ],
)
def test_what_phones_mailers_and_people_make_of_a_move(text: str) -> None:
    assert GAME.read(after_moves(0), ONE, text) == "sow d Y1, B2 on R3, B1"


def test_a_tree_in_words_with_spaces_around_its_strokes() -> None:
    text = "y3 g1 on medium yellow large red / medium blue / small red"
    assert GAME.read(after_moves(2), ONE, text) == "sow a Y3, G1 on Y2, R3/B2/R1"


def test_the_card_is_left_out_only_where_the_last_drop_tells_it() -> None:
    assert GAME.read(after_moves(1), ONE, "y2 g3 b1 r1") == "sow b Y2, G3, B1, R1"
    message = "Name the card that you sow, then the drops, as in “sow d Y1, B2 on R3, B1”."
    assert misread(after_moves(0), "y1 b2 b1") == message
    assert misread(laid("R1", following="any"), "R1") == message


def test_a_stack_by_its_top_pyramid_counts_the_drops_before_it() -> None:
    position = laid("R2 R1 Y2 Y3 B3 B1", "G3")
    text = "a R2 on G3, Y2, Y3, B3, B1, R1 on R2"
    assert GAME.read(position, ONE, text) == "sow a R2 on G3, Y2, Y3, B3, B1, R1 on G3/R2"


def test_a_single_pyramid_goes_before_a_stack_with_that_top() -> None:
    assert GAME.read(laid("R1", "G2 Y3/G2"), ONE, "a r1 on g2") == "sow a R1 on G2"


def test_equal_stacks_are_one_kind_and_different_ones_must_be_named() -> None:
    assert GAME.read(laid("R1", "Y3/G2 Y3/G2"), ONE, "a r1 on g2") == "sow a R1 on Y3/G2"
    assert refusal(laid("R1", "R3/G2 Y3/G2"), "a r1 on g2") == (
        "Drop 1, “R1 on G2”: name the whole stack that R1 goes on. With G2 on top, b has: R3/G2, Y3/G2."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello there!", "“Hello there” is not part of a move."),
        ("sow e Y1", "“e Y1” is not part of a move."),
        ("sow d Y1 R4", "“R4” is not part of a move."),
        ("sow d R3/R2/R1/R1", "“/R1” is not part of a move."),
        (",;:", "Name a card, then the drops in order, as in “sow d Y1, B2 on R3, B1”."),
        ("sow sow d Y1", "“sow” is not a pyramid."),
        ("sow d on Y1", "“on” is not a pyramid."),
        ("sow d Y1 a", "“a” is not a pyramid."),
        ("sow d Y1 on", "After “on”, name the stack that Y1 goes on."),
        ("sow d Y1 on d", "After “on”, name the stack that Y1 goes on."),
        ("sow", "Name the card that you sow"),
        ("> sow d Y1", "“>” is not a pyramid."),
        ("{card} {}", "“{card} {}” is not part of a move."),
    ],
)
def test_what_has_not_the_form_of_a_move(text: str, message: str) -> None:
    assert misread(after_moves(0), text).startswith(message)


# -- why a move is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "text", "message"),
    [
        (0, "sow vault Y1", "The vault is never sown. You may sow: a, b, c, d."),
        (1, "sow d Y1", "Card d is empty. You may sow: b."),
        (0, "sow d",
         ("You must sow all of card d in one move. Still to be sown: B1, B2, Y1. The next drop falls "
         "on the vault, which is empty.")),
        (0, "sow d Y1, B2 on R3",
         ("You must sow all of card d in one move. Still to be sown: B1. The next drop falls on b, "
         "which has: G3, R1, Y2.")),
        (1, "sow",
         ("You must sow all of card b in one move. Still to be sown: B1, G3, R1, Y2. The next drop "
         "falls on c, which has: B3, G2, R2.")),
        (2, "sow a G1",
         ("You must sow all of card a in one move. Still to be sown: B2, R1, R3, Y3. R3/B2/R1 may "
         "stay whole. The next drop falls on c, which has: B3, G2, R2, Y2.")),
        (2, "sow a R1",
         ("You must sow all of card a in one move. Still to be sown: B2, G1, R3, Y3. The next drop "
         "falls on c, which has: B3, G2, R2, Y2.")),
        (0, "sow d Y1, B1 on G1, B2",
         "Drop 2, “B1 on G1”: B1 is not smaller than the top of G1, and a pyramid goes only on a larger one."),
        (0, "sow d Y1 on R3, B2, B1",
         "Drop 1, “Y1 on R3”: it falls on the vault, which is empty, so there is no R3 to put it on."),
        (0, "sow d Y1, B2 on B3, B1 on B2",
         "Drop 2, “B2 on B3”: it falls on a, which has no stack B3. It has: G1, R3, Y3."),
        (0, "sow d Y1, R2, B1", "Drop 2, “R2”: R2 is not on card d. Still to be sown: B1, B2."),
        (0, "sow d K1", "Drop 1, “K1”: K1 is not on card d. Still to be sown: B1, B2, Y1."),
        (0, "sow d Y1, Y1, B1", "Drop 2, “Y1”: Y1 was dropped already. Still to be sown: B1, B2."),
        (0, "sow d Y1, B2, B1, B1",
         "Drop 4, “B1”: nothing is left of card d by then, so the sowing ends before it."),
        (0, "sow d R3/R2/R1", "Drop 1, “R3/R2/R1”: there is no stack R3/R2/R1 on card d, which holds: B1, B2, Y1."),
        (2, "sow a Y3, R3/B2/R1 on B3, G1",
         ("Drop 2, “R3/B2/R1 on B3”: a whole tree cannot go on a stack. Put it down by itself, or sow "
         "it as single pyramids.")),
        (2, "sow a R1, R3/B2/R1",
         ("Drop 2, “R3/B2/R1”: you cannot sow R3/B2/R1 whole any more, since you dropped part of it "
         "before. Still to be sown: B2, G1, R3, Y3.")),
        (4, "sow c Y2/G1, G2, B3, G3, R2",
         "Drop 1, “Y2/G1”: Y2/G1 is not a tree, so sow it as single pyramids."),
        (7, "sow b R3, Y3, G3, B2", "The match is over."),
    ],
)  # fmt: skip
def test_a_refusal_names_what_is_wrong(after: int, text: str, message: str) -> None:
    assert refusal(after_moves(after), text) == message


def test_an_old_tree_is_refused_whole() -> None:
    assert refusal(after_moves(4, game=1), "sow c R3/G2/G1, B1, R2, Y1") == (
        "Drop 1, “R3/G2/G1”: R3/G2/G1 was not finished in your last turn, so sow it as single pyramids."
    )


def test_nobody_else_moves() -> None:
    position = after_moves(0)
    two = Seat(2)
    move = Move("sow d Y1, B2, B1")
    assert not GAME.allows(position, two, move)
    assert list(GAME.moves(position, two)) == []
    assert GAME.steps(position, two, ()) == ()
    assert GAME.suggest(position, two) == ()
    with pytest.raises(IllegalMove, match="not your turn"):
        GAME.read(position, two, move)
    with pytest.raises(IllegalMove, match="not your turn"):
        GAME.apply(position, two, move, NO_CHANCE)


@pytest.mark.parametrize(
    "text", ["sow d y1, b2, b1", "d Y1, B2, B1", "hello", "", "sow d", ", ".join(["sow d Y1"] * 99)]
)
def test_only_canonical_text_is_applied(text: str) -> None:
    assert not GAME.allows(after_moves(0), ONE, Move(text))
    with pytest.raises(IllegalMove):
        played_on(after_moves(0), text)


# -- any text whatever -----------------------------------------------------------------------------


WORDS = ["sow", "a", "b", "d", "vault", "on", "@", ">", "/", ",", ";", "Y1", "y2", "B1", "B2", "g3", "R3", "R1",
         "R3/B2", "R3/B2/R1", "R3/B2/R1/Y1", "K3", "large red", "1.", "-", "{", "}", "\n", " "]  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(
    st.sampled_from([after_moves(0), after_moves(2), after_moves(7), after_moves(9, game=2), after_moves(11, game=3)]),
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(WORDS)).map(" ".join),
        st.lists(st.sampled_from(WORDS)).map("".join),
    ),
)
def test_any_text_is_a_move_or_refused_with_a_reason(position: Position, text: str) -> None:
    try:
        move = GAME.read(position, ONE, text)
    except (InvalidMove, IllegalMove):
        assert not GAME.allows(position, ONE, Move(text))
    else:
        assert GAME.allows(position, ONE, move)
    if not GAME.allows(position, ONE, Move(text)) and GAME.to_move(position):
        assert str(GAME.objection(position, ONE, Move(text)))
