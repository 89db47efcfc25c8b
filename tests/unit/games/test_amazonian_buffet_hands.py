"""The hands of Amazonian Buffet: divided, sealed, shown and changed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.amazonian_buffet import layouts
from pbem.games.cards import DECK
from pbem.games.errors import IllegalMove
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Viewer
from pbem.games.poker import COMPARE_OPTIONS
from tests.support.games.buffet_cases import (
    CHANCE,
    FEW,
    GAME,
    ONE,
    OTHER,
    OWN,
    TWO,
    VECTORS,
    after_board,
    dealt,
    misread,
    of_example,
    played,
    refusal,
    sealed,
    told,
    with_stones,
)

VIEWERS: tuple[Viewer, ...] = (ONE, TWO, Eye.PUBLIC)


# -- building the hands ----------------------------------------------------------------------------


def test_a_small_pool_is_divided_in_every_way() -> None:
    """Building the hands: every card is used, the division is free: three cards, three hands each."""
    listed = list(GAME.moves(FEW, ONE))
    assert len(listed) == len(set(listed)) == 3**3
    assert all(GAME.allows(FEW, ONE, move) for move in listed)
    assert listed[0] == "hands KD 9S 2S | - | -"
    view = GAME.view(FEW, ONE)
    assert (len(view.moves), view.moves_are_all) == (27, True)


def test_a_large_pool_has_countless_layouts_of_full_hands() -> None:
    position = of_example(0, 35)
    view = GAME.view(position, ONE)
    assert (len(view.moves), view.moves_are_all) == (200, False)
    assert len(position.pool(ONE)) >= 15
    assert all(len(move.split()) == 1 + 15 + 2 and GAME.allows(position, ONE, move) for move in view.moves)


@pytest.mark.parametrize("cards", [2, 7, 15, 16])
def test_layouts_are_divisions_of_the_pool_in_their_order(cards: int) -> None:
    """Also those that follow after the ones that a View lists."""
    pool = layouts.arranged(DECK[:cards])
    divided = map(layouts.format_layout, layouts.all_layouts(pool))
    assert list(islice(layouts.layout_moves(pool), 500)) == list(islice(divided, 500))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("KD 9S 2S | AH | -", "AH is not yours. Your cards: KD 9S 2S."),
        ("KD AH | AC | 9S 2S", "AH, AC are not yours."),
        ("KD 9S | 2S | KD", "KD can be used only once."),
        ("KD | 9S | -", "Use exactly 3 cards; you used 2. Still unused: 2S."),
    ],
)
def test_why_a_layout_is_not_legal(text: str, reason: str) -> None:
    assert reason in refusal(FEW, ONE, text)


def test_a_hand_has_at_most_five_cards() -> None:
    position = after_board("a1 b1 c1 d1")
    text = "9S 7H 5H 4H 2S 2H | - | -"
    assert refusal(position, ONE, text) == "A hand has at most five cards; hand 1 has 6."


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("2s kd | 9♠ |", "hands KD 2S | 9S | -"),
        ("HANDS: kd 2s / 9s / -", "hands KD 2S | 9S | -"),
        ("hands KD2S;9S;none", "hands KD 2S | 9S | -"),
        ("- | king of diamonds, two of spades | nine of spades", "hands - | KD 2S | 9S"),
        ("||KD 9S 2S", "hands - | - | KD 9S 2S"),
        ("KD\n9S\n2S", "hands KD | 9S | 2S"),
        ("hands\nKD\n9S\n2S\n", "hands KD | 9S | 2S"),
        ("hands KD |\n9S | 2S", "hands KD | 9S | 2S"),
        ("hands KD |\n9S |\n2S", "hands KD | 9S | 2S"),
    ],
)
def test_layouts_typed_in_other_ways(typed: str, canonical: str) -> None:
    assert GAME.read(FEW, ONE, typed) == canonical


def test_fifteen_cards_without_bars_are_three_full_hands() -> None:
    position = of_example(0, 35)
    move = VECTORS["games"][0]["moves"][35][1]
    assert GAME.read(position, ONE, move.replace("| ", "")) == move
    assert GAME.read(position, ONE, move.replace(" |", "\n")) == move


@pytest.mark.parametrize("text", ["KD 9S 2S", "KD | 9S 2S", "KD | 9S | 2S | -", "KD | 9S | two", "a1-c3 f3", "hello"])
def test_what_is_no_layout(text: str) -> None:
    assert misread(FEW, ONE, text) == (
        "Write your three hands with a bar between them, such as “hands KD 9S 2S | - | -”."
    )


def test_there_is_nothing_to_keep_before_layouts_are_shown() -> None:
    assert misread(FEW, ONE, "keep") == "You have no hands to keep yet. Write your three hands first."


def test_only_canonical_layouts_are_moves() -> None:
    for move in ("hands KD 2S 9S | - | -", "KD 9S 2S | - | -", "hands KD 9S 2S | -", "hands KD 9S  2S | - | -", "keep"):
        assert not GAME.allows(FEW, ONE, Move(move))
        with pytest.raises(IllegalMove, match="You cannot play “"):
            GAME.apply(FEW, ONE, Move(move), CHANCE)


def test_steps_lead_card_by_card_to_every_layout() -> None:
    """Building the hands: no dead ends, exactly the legal layouts."""
    found: set[Move] = set()
    paths: list[tuple[str, ...]] = [()]
    while paths:
        chosen = paths.pop()
        more = GAME.steps(FEW, ONE, chosen)
        paths += [(*chosen, piece) for piece in more]
        if not more:
            found.add(GAME.read(FEW, ONE, " ".join(chosen)))
    assert found == set(GAME.moves(FEW, ONE))


def test_steps_demand_full_hands_of_a_large_pool() -> None:
    position = of_example(0, 35)
    pool = position.pool(ONE)
    assert GAME.steps(position, ONE, ()) == pool
    assert GAME.steps(position, ONE, pool[:5]) == ("|",)
    chosen = (*pool[:5], "|", *pool[5:10], "|", *pool[10:15])
    assert GAME.steps(position, ONE, chosen[:-1]) == pool[14:]
    assert GAME.steps(position, ONE, chosen) == ()
    assert GAME.allows(position, ONE, GAME.read(position, ONE, " ".join(chosen)))


# -- sealed moves ----------------------------------------------------------------------------------


def test_a_sealed_layout_is_seen_by_its_owner_alone() -> None:
    """What each seat may see: that a seat has sealed is open, what it has sealed is not."""
    position = sealed(FEW, TWO, OTHER)
    assert GAME.to_move(position) == (ONE,)
    for viewer in VIEWERS:
        board = GAME.board(position, viewer)
        assert (board["sealed"], board["layouts"], board["won"]) == ([False, True], [None, None], None)
        assert board["own"] == ([["AH"], ["5C"], ["3S"]] if viewer == TWO else None)
        assert told(position, viewer)[-1] == (2, OTHER if viewer == TWO else None)
    assert told(position, Eye.OPEN)[-1] == (2, OTHER)
    assert OTHER not in repr(position)


def test_a_sealed_move_cannot_be_changed() -> None:
    position = sealed(FEW, TWO, OTHER)
    assert refusal(position, TWO, OTHER).startswith("You have sealed your hands and cannot change them")
    assert not GAME.allows(position, TWO, OTHER)
    with pytest.raises(IllegalMove):
        sealed(position, TWO, OTHER)


def test_the_order_of_sealing_is_not_shown() -> None:
    """Turn order and who must act: seat 1's line stands first."""
    one_first, two_first = sealed(sealed(FEW, ONE, OWN), TWO, OTHER), sealed(sealed(FEW, TWO, OTHER), ONE, OWN)
    assert one_first == two_first
    for viewer in (*VIEWERS, Eye.OPEN):
        assert told(two_first, viewer)[-2:] == [(1, OWN), (2, OTHER)]
        board = GAME.board(two_first, viewer)
        assert board["layouts"] == [[["KD"], ["9S"], ["2S"]], [["AH"], ["5C"], ["3S"]]]
        assert (board["stage"], board["own"], board["sealed"]) == ("adjust", None, [False, False])
        assert board["comparisons"] == [
            {"winner": 2, "levels": [1, 1]},
            {"winner": 1, "levels": [1, 1]},
            {"winner": 2, "levels": [1, 1]},
        ]
        assert board["won"] == [1, 2]


def test_the_second_sealed_move_opens_both() -> None:
    once = sealed(FEW, ONE, OWN)
    twice = sealed(once, TWO, OTHER)
    assert not GAME.reveals(FEW, OWN, once)
    assert GAME.reveals(once, OTHER, twice)
    assert not GAME.reveals(dealt(), Move("a1-c3 f3"), played("a1-c3 f3"))
    assert not GAME.reveals(twice, Move("keep"), sealed(twice, ONE, "keep"))


def test_adjusting_or_keeping() -> None:
    """Turn order: each answers what it has seen; `keep`, or the present layout again, changes nothing."""
    shown = sealed(sealed(FEW, ONE, OWN), TWO, OTHER)
    assert next(GAME.moves(shown, ONE)) == "keep"
    assert len(list(GAME.moves(shown, ONE))) == 1 + 27
    assert GAME.steps(shown, ONE, ()) == ("keep", "KD", "9S", "2S", "|")
    assert GAME.steps(shown, ONE, ("keep",)) == ()
    waiting = sealed(shown, TWO, GAME.read(shown, TWO, "Keep!"))
    assert GAME.board(waiting, TWO)["own"] == "keep"
    assert GAME.board(waiting, ONE)["own"] is None
    kept, repeated = sealed(waiting, ONE, "keep"), sealed(sealed(shown, TWO, OTHER), ONE, OWN)
    assert GAME.outcome(kept) == GAME.outcome(repeated) == Outcome((1, 2), (TWO,))
    changed = sealed(waiting, ONE, "hands - | KD | 9S 2S")
    assert GAME.outcome(changed) == Outcome((2, 1), (ONE,))
    assert GAME.board(changed, Eye.PUBLIC)["layouts"] == [[[], ["KD"], ["9S", "2S"]], [["AH"], ["5C"], ["3S"]]]
    assert (GAME.board(changed, ONE)["stage"], GAME.to_move(changed)) == ("over", ())
    assert refusal(changed, ONE, "keep") == "The match is over."
    assert not GAME.allows(changed, ONE, Move("keep"))


def test_equal_numbers_of_hands_won_are_a_draw() -> None:
    """End and result: possible only if some hands were empty on both sides; both seats are winners."""
    position = sealed(sealed(FEW, ONE, "hands KD | 9S 2S | -"), TWO, "hands AH | 5C 3S | -")
    position = sealed(sealed(position, ONE, "keep"), TWO, "keep")
    assert GAME.outcome(position) == Outcome((1, 1), (ONE, TWO))
    comparisons = GAME.board(position, Eye.PUBLIC)["comparisons"]
    assert isinstance(comparisons, list)
    assert comparisons[-1] == {"winner": None, "levels": [0, 0]}


def test_the_option_compare_decides_between_hands_of_one_level() -> None:
    """Options: an ace beside twos beats kings in single cards, but not as poker players compare."""
    results = []
    for compare in COMPARE_OPTIONS:
        position = after_board("e2 d3 a2 f2", "b8 a1 b1 d8", compare=compare)
        deal = replace(position.deal, dealt=(("KS", "KC"), ("AD", "2H")), grid=("2C", "3C", *position.deal.grid[2:]))
        position = with_stones(0, 1, replace(position, deal=deal))
        position = sealed(sealed(position, ONE, "hands KS KC | - | -"), TWO, "hands AD 2H 2C | - | -")
        results.append(GAME.board(position, Eye.PUBLIC)["won"])
    assert results == [[0, 1], [1, 0]]


@given(seed=st.binary(min_size=32, max_size=32), keeps=st.booleans())
def test_exchanged_sealed_moves_cannot_be_told_apart(seed: bytes, keeps: bool) -> None:  # noqa: FBT001
    first = sealed(FEW, TWO, OTHER)
    second = sealed(sealed(first, ONE, OWN), TWO, "keep" if keeps else OTHER)
    for position in (first, second):
        for viewer in (ONE, Eye.PUBLIC):
            other = GAME.exchange(position, viewer, seed)
            assert other != position
            assert other == GAME.exchange(position, viewer, seed)
            assert GAME.view(other, viewer) == GAME.view(position, viewer)
            secret, present = other.sealed[1], position.sealed[1]
            assert secret is not None
            assert present is not None
            assert secret.value != present.value
            assert secret.seats == present.seats
            assert GAME.allows(replace(position, to_move=(ONE, TWO), sealed=(None, None)), TWO, secret.value)
        for viewer in (TWO, Eye.OPEN):
            assert GAME.exchange(position, viewer, seed) == position
    assert GAME.exchange(dealt(), ONE, seed) == dealt()


# -- what may have been meant ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("KD 9S 2S | AH | -", ["hands KD 9S 2S | - | -"]),
        ("KD AH | AC | 9S 2S", ["hands KD | - | 9S 2S"]),
        ("KD 9S | 2S | KD", ["hands KD 9S | 2S | -"]),
        ("2S | KD", ["hands 9S 2S | KD | -"]),
        ("my hands: king of diamonds / nine of spades", ["hands KD 2S | 9S | -"]),
        ("KD 9S", ["hands KD 9S 2S | - | -"]),
        ("KD | 9S | 2S | 2S", ["hands KD | 9S | 2S"]),
        ("keeep", []),
        ("hello", []),
    ],
)
def test_typed_hands_are_repaired_from_the_pool(text: str, meant: list[str]) -> None:
    assert [*GAME.nearest(FEW, ONE, text)] == meant


def test_a_full_hand_takes_no_more() -> None:
    position = after_board("a1 b1 c1 d1")
    pool = " ".join(position.pool(ONE))
    (found,) = GAME.nearest(position, ONE, f"{pool} | |")
    assert [len(hand) for hand in layouts.split_hands(found)] == [5, 1, 0]


def test_keeping_is_near_when_layouts_are_shown() -> None:
    shown = played("hands KD | 9S | 2S", "hands AH 5C 3S | - | -", position=FEW)
    assert GAME.nearest(shown, ONE, "keeep") == ("keep",)
    assert GAME.nearest(played("keep", position=shown), ONE, "keeep") == ()
    assert GAME.nearest(shown, ONE, "KD KD | 2S") == ("hands KD 9S | 2S | -",)
