"""Minimax, by the sections of its rulebook."""

from __future__ import annotations

import json
from itertools import islice, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Seat
from pbem.games.minimax.game import Position
from tests.support.examples import examples
from tests.support.games.minimax_cases import (
    GAME,
    GAMES,
    NO_CHANCE,
    ONE,
    VECTORS,
    after_moves,
    laid,
    played_on,
    refusal,
    started,
)

MANY = 5000


# -- the example file ------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", GAMES)
def test_the_example_games(vector: dict[str, Any]) -> None:
    position = started(vector)
    for ply, ((seat, text), count) in enumerate(zip(vector["moves"], vector["legal_counts"], strict=True), 1):
        assert GAME.stage(position) == ply
        assert GAME.to_move(position) == (seat,)
        assert GAME.outcome(position) is None
        legal = list(islice(GAME.moves(position, Seat(seat)), MANY + 1))
        assert len(legal) == len(set(legal)) == (MANY + 1 if count is None else count)
        assert count is None or text in legal
        assert all(GAME.allows(position, Seat(seat), move) for move in legal)
        assert GAME.read(position, Seat(seat), text) == text
        position = GAME.apply(position, Seat(seat), Move(text), NO_CHANCE)
    result = vector["result"]
    assert GAME.outcome(position) == Outcome((result["scores"]["1"],), tuple(result["winners"]))
    assert GAME.to_move(position) == ()
    assert GAME.stage(position) == len(vector["moves"]) + 1
    assert list(GAME.moves(position, ONE)) == []


@pytest.mark.parametrize("case", VECTORS["illegal"], ids=lambda case: case["why"])
def test_what_may_not_be_played(case: dict[str, Any]) -> None:
    position = after_moves(case["after_moves"], case["in_game"])
    seat = Seat(case["seat"])
    assert not GAME.allows(position, seat, case["move"])
    with pytest.raises(IllegalMove):
        GAME.read(position, seat, case["move"])
    with pytest.raises(IllegalMove):
        GAME.apply(position, seat, case["move"], NO_CHANCE)


@pytest.mark.parametrize("case", VECTORS["typed"], ids=lambda case: case["typed"])
def test_what_was_typed(case: dict[str, Any]) -> None:
    assert GAME.read(after_moves(case["after_moves"], case["in_game"]), ONE, case["typed"]) == case["move"]


@pytest.mark.parametrize("case", VECTORS["vaults"], ids=lambda case: " ".join(case["vault"]))
def test_what_a_vault_scores(case: dict[str, Any]) -> None:
    ended = laid("R1", "", "", "", " ".join(case["vault"]), following=None)
    assert GAME.outcome(ended) == Outcome((case["score"],), ())


@pytest.mark.parametrize("case", VECTORS["refused_options"], ids=str)
def test_refused_options(case: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GAME.setup(case["players"], case["options"], NO_CHANCE)


# -- setup -----------------------------------------------------------------------------------------


def test_the_small_game_lays_three_on_each_card() -> None:
    board = GAME.board(after_moves(0), ONE)
    assert board == {
        "size": "small",
        "over": False,
        "cleared": False,
        "wheel": [
            {"card": "a", "stacks": [["G1"], ["R3"], ["Y3"]], "fresh": [], "may_sow": True},
            {"card": "b", "stacks": [["G3"], ["R1"], ["Y2"]], "fresh": [], "may_sow": True},
            {"card": "c", "stacks": [["B3"], ["G2"], ["R2"]], "fresh": [], "may_sow": True},
            {"card": "d", "stacks": [["B1"], ["B2"], ["Y1"]], "fresh": [], "may_sow": True},
            {"card": "vault", "stacks": [], "fresh": [], "may_sow": False},
        ],
        "free": True,
        "score": 0,
    }


def test_the_long_game_lays_every_pyramid_twice() -> None:
    wheel = after_moves(0, game=2).wheel
    assert [len(card) for card in wheel] == [6, 6, 6, 6, 0]
    laid = sorted(stack for card in wheel for stack in card)
    assert laid == sorted(2 * [colour + size for colour in "RYGB" for size in "123"])


# -- the worked example ----------------------------------------------------------------------------


WORKED = [
    "G1 R3 Y3|G3 R1 Y2|B3 G2 R2|B1 B2 Y1|",
    "G1 R3/B2 Y3|B1 G3 R1 Y2|B3 G2 R2||Y1",
    "G1 R3/B2/R1 Y3||B3 G2 R2 Y2|G3|B1 Y1",
    "|Y3|B3 G2 R2 Y2/G1|B2 G3 R1 R3|B1 Y1",
    "B2|R3 Y3|B3 G2 G3 R2 Y2/G1||B1 R1 Y1",
    "B2 B3|G3 R3 Y3|G1|R2 Y2|B1 G2 R1 Y1",
    "B2 B3/Y2|G3 R3 Y3|G1||B1 G2 R1 R2 Y1",
    "|G3/B2 R3 Y3|G1 Y2|B3|B1 G2 R1 R2 Y1",
]


@pytest.mark.parametrize(("turn", "wheel"), list(enumerate(WORKED)))
def test_the_wheel_of_the_worked_example(turn: int, wheel: str) -> None:
    assert after_moves(turn).wheel == tuple(tuple(card.split()) for card in wheel.split("|"))


def test_a_tree_finished_on_a_card_is_fresh_there_and_the_log_tells_of_it() -> None:
    position = after_moves(2)
    board = GAME.board(position, Eye.PUBLIC)
    wheel = board["wheel"]
    assert isinstance(wheel, list)
    assert wheel[0] == {
        "card": "a", "stacks": [["G1"], ["R3", "B2", "R1"], ["Y3"]], "fresh": [["R3", "B2", "R1"]], "may_sow": True,
    }  # fmt: skip
    assert board["free"] is False
    assert GAME.log(position, ONE) == [
        {"seat": 1, "move": "sow d Y1, B2 on R3, B1", "score": 1, "next": "b", "trees": [], "ended": False,
         "cleared": False},
        {"seat": 1, "move": "sow b Y2, G3, B1, R1 on R3/B2", "score": 2, "next": "a", "trees": ["R3/B2/R1"],
         "ended": False, "cleared": False},
    ]  # fmt: skip


def test_the_log_of_an_end() -> None:
    ended = {"seat": 1, "move": "sow a B2 on G3, Y2, B3", "score": 5, "next": None, "trees": [], "ended": True,
             "cleared": False}  # fmt: skip
    assert GAME.log(after_moves(7), ONE)[-1] == ended
    cleared = GAME.log(after_moves(11, game=3), ONE)
    assert [(entry["ended"], entry["cleared"]) for entry in cleared if isinstance(entry, dict)][-2:] == [
        (False, False),
        (True, True),
    ]
    board = GAME.board(after_moves(11, game=3), ONE)
    assert (board["over"], board["cleared"], board["free"]) == (True, True, False)


# -- legality --------------------------------------------------------------------------------------


def test_the_card_of_the_last_drop_must_be_sown() -> None:
    message = "You cannot sow card c now. The last drop fell on b, so you must sow that card."
    assert refusal(after_moves(1), "sow c B3, G2, R2") == message


def test_the_fifth_drop_falls_on_the_card_that_is_sown() -> None:
    position = played_on(laid("R1 Y2 G2 B2 R2 Y3", "B3"), "sow a B2 on B3, G2, Y3, R2, Y2, R1 on B3/B2")
    assert position.wheel == (("Y2",), ("B3/B2/R1",), ("G2",), ("Y3",), ("R2",))
    assert position.fresh == ((), ("B3/B2/R1",), (), (), ())
    assert position.next == "b"


def test_a_tree_begun_and_finished_in_one_turn_is_fresh_on_the_card_that_was_sown() -> None:
    hand = "R3 R2 R1 Y1 Y1 G1 G1 B1 B1 Y2 Y2 G2 G2 B2 B2"
    sown = "sow a Y1, Y1, G1, G1, R3, B1, B1, Y2, Y2, R2 on R3, G2, G2, B2, B2, R1 on R3/R2"
    position = played_on(laid(hand), sown)
    assert position.wheel[0] == ("R3/R2/R1",)
    assert position.fresh[0] == ("R3/R2/R1",)
    assert position.next == "a"


def test_equal_pyramids_and_equal_stacks_make_no_second_move() -> None:
    position = laid("R1 R1 Y2", "R2 R2", "R3/G2 R3/G2 B1")
    legal = list(GAME.moves(position, ONE))
    assert len(legal) == len(set(legal))
    assert "sow a R1 on R2, R1 on R3/G2, Y2" in legal


def test_the_legal_moves_are_all_orders_with_all_ways_to_put_them_down() -> None:
    position = laid("R1 Y2/G1 R1", "R2 R2 Y3/B1", "R3 B3/G2", "G3/Y2", "B2")
    onto = {1: ["R2"], 2: ["R3", "B3/G2"], 3: ["G3/Y2"], 4: ["B2"]}
    expected = set()
    for order in permutations(["R1", "Y2", "G1", "R1"]):
        texts = ["sow a"]
        for card, piece in enumerate(order, 1):
            fits = [f"{piece} on {stack}" for stack in onto[card] if stack[-1] > piece[1]]
            texts = [f"{text}, {drop}" for text in texts for drop in [piece, *fits]]
        expected |= {text.replace("a,", "a", 1) for text in texts}
    assert set(GAME.moves(position, ONE)) == expected


def test_a_fresh_tree_goes_down_whole_or_as_single_pyramids() -> None:
    position = laid("R3/G2/R1 R3", "", "", "", "B3", fresh="R3/G2/R1")
    assert GAME.steps(position, ONE, ("sow a",)) == ("R3/G2/R1", "G2", "R1", "R3")
    # One R3 may be the single one; after the second, or after R1, the tree is broken.
    assert "R3/G2/R1" in GAME.steps(position, ONE, ("sow a", "R3"))
    assert GAME.steps(position, ONE, ("sow a", "R3", "R3")) == ("G2", "R1")
    assert "R3/G2/R1" not in GAME.steps(position, ONE, ("sow a", "R1"))
    whole = played_on(position, "sow a R3/G2/R1, R3")
    assert whole.wheel == ((), ("G2", "R1", "R3"), ("R3",), (), ("B3",))


def test_only_as_many_equal_trees_stay_whole_as_were_finished_this_turn() -> None:
    position = laid("R3/G2/R1 R3/G2/R1", "B1", "B1", "B1", fresh="R3/G2/R1")
    assert GAME.allows(position, ONE, Move("sow a R3/G2/R1, G2, R1, R3"))
    assert refusal(position, "sow a R3/G2/R1, R3/G2/R1") == (
        "Drop 2, “R3/G2/R1”: you can sow R3/G2/R1 whole only as often as you finished it in your last turn. "
        "Still to be sown: G2, R1, R3."
    )


def test_freshness_lasts_one_turn() -> None:
    position = laid("R2 R1", "Y3/Y2", "B1", "", "", fresh="")
    position = played_on(position, "sow a R1 on Y3/Y2, R2")
    assert position.fresh[1] == ("Y3/Y2/R1",)
    assert played_on(position, "sow c B1, R2").fresh == ((), (), (), (), ())


# -- resolution ------------------------------------------------------------------------------------


def test_a_whole_tree_breaks_up_on_the_vault_too_and_gives_a_free_choice() -> None:
    position = Position("small", (("Y1",), (), (), ("G3/Y2/R1",), ()), ((), (), (), ("G3/Y2/R1",), ()), "d")
    position = played_on(position, "sow d G3/Y2/R1")
    assert position.wheel[4] == ("G3", "R1", "Y2")
    assert position.next == "any"
    assert GAME.board(position, ONE)["score"] == 3
    assert GAME.steps(position, ONE, ()) == ("sow a",)
    assert GAME.log(position, ONE)[-1] == {
        "seat": 1, "move": "sow d G3/Y2/R1", "score": 3, "next": "any", "trees": [], "ended": False, "cleared": False,
    }  # fmt: skip


def test_a_tree_finished_in_the_vault_is_told_but_never_fresh() -> None:
    position = played_on(laid("Y1", "", "", "R1", "R3/R2", following="d"), "sow d R1 on R3/R2")
    assert position.fresh == ((), (), (), (), ())
    assert GAME.log(position, ONE)[-1] == {
        "seat": 1, "move": "sow d R1 on R3/R2", "score": 7, "next": "any", "trees": ["R3/R2/R1"], "ended": False,
        "cleared": False,
    }  # fmt: skip


def test_a_last_drop_on_an_empty_card_ends_the_game_whole_tree_or_not() -> None:
    single = played_on(laid("R1", ""), "sow a R1")
    whole = played_on(laid("R3/G2/R1", "", fresh="R3/G2/R1"), "sow a R3/G2/R1")
    assert GAME.outcome(single) == GAME.outcome(whole) == Outcome((0,), ())


def test_the_wheel_is_cleared_when_all_is_in_the_vault() -> None:
    position = played_on(laid("", "", "", "R1", "R3/R2", following="d"), "sow d R1 on R3/R2")
    assert GAME.outcome(position) == Outcome((7,), (ONE,))
    assert GAME.to_move(position) == ()


# -- steps, suggestions, views ---------------------------------------------------------------------


def test_steps_refuse_a_piece_that_may_not_follow() -> None:
    position = after_moves(0)
    assert GAME.steps(position, ONE, ()) == ("sow a", "sow b", "sow c", "sow d")
    assert GAME.steps(position, ONE, ("sow d", "Y1", "B1")) == ("B2", "B2 on G3")
    with pytest.raises(IllegalMove, match="R2 is not on card d"):
        GAME.steps(position, ONE, ("sow d", "R2", "B1"))
    with pytest.raises(IllegalMove):
        GAME.steps(position, ONE, ("nonsense",))


@pytest.mark.parametrize("after", range(7))
def test_every_legal_move_has_a_path_and_no_path_is_a_dead_end(after: int) -> None:
    position = after_moves(after)
    ahead: list[tuple[str, ...]] = [()]
    found = []
    while ahead:
        chosen = ahead.pop()
        pieces = GAME.steps(position, ONE, chosen)
        if not pieces:
            found.append(chosen[0] + " " + ", ".join(chosen[1:]))
        ahead += [(*chosen, piece) for piece in pieces]
    assert sorted(found) == sorted(GAME.moves(position, ONE))


@settings(max_examples=examples(30), deadline=None)
@given(st.binary(min_size=32, max_size=32), st.sampled_from(["small", "long"]), st.data())
def test_any_game_comes_to_an_end_and_keeps_every_pyramid(seed: bytes, size: str, data: st.DataObject) -> None:
    position = GAME.setup(1, {"size": size}, Chance(seed))
    pyramids = sorted(stack for card in position.wheel for stack in card)
    while GAME.to_move(position):
        chosen: tuple[str, ...] = ()
        while pieces := GAME.steps(position, ONE, chosen):
            chosen = (*chosen, data.draw(st.sampled_from(pieces)))
        move = GAME.read(position, ONE, " ".join(chosen))
        assert move == chosen[0] + " " + ", ".join(chosen[1:])
        position = GAME.apply(position, ONE, move, NO_CHANCE)
        assert sorted("/".join("/".join(card) for card in position.wheel if card).split("/")) == pyramids
        assert all(set(fresh) <= set(card) for fresh, card in zip(position.fresh, position.wheel, strict=True))
        view = GAME.view(position, Eye.PUBLIC)
        assert json.loads(json.dumps([view.board, view.log])) == [view.board, view.log]
    assert GAME.outcome(position) is not None


@pytest.mark.parametrize("game", [0, 2])
def test_suggestions_are_legal_distinct_and_do_better_than_the_first_move(game: int) -> None:
    position = started(GAMES[game])
    while GAME.to_move(position):
        moves = GAME.suggest(position, ONE)
        assert 1 <= len(moves) == len(set(moves)) <= 3
        assert all(GAME.allows(position, ONE, move) for move in moves)
        position = played_on(position, moves[0])
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.scores[0] >= (6, 0, 25)[game]


@pytest.mark.parametrize(
    ("position", "best"),
    [
        (laid("B1", "", "", "R1", "Y3/Y2 R3/R2", following="d"), "sow d R1 on R3/R2"),
        (laid("", "", "R1 R2", "", "R3", following="c"), "sow c R1, R2 on R3"),
    ],
)
def test_a_suggestion_scores(position: Position, best: str) -> None:
    assert GAME.suggest(position, ONE)[0] == best


def test_a_view_of_a_long_game_lists_the_first_moves_only() -> None:
    view = GAME.view(after_moves(0, game=2), ONE)
    assert len(view.moves) == 200
    assert not view.moves_are_all
