"""Minimax, by the sections of its rulebook."""

from __future__ import annotations

import json
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Seat
from pbem.games.minimax import Minimax, Position

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "minimax.json").read_text("utf-8"))
GAMES: list[dict[str, Any]] = VECTORS["games"]
MANY = 5000

GAME = Minimax()
ONE = Seat(1)
NO_CHANCE = Chance(bytes(32))


def _start(vector: dict[str, Any]) -> Position:
    return GAME.setup(vector["players"], vector["options"], Chance(bytes.fromhex(vector["seed"])))


def _after(moves: int, game: int = 0) -> Position:
    position = _start(GAMES[game])
    for seat, move in GAMES[game]["moves"][:moves]:
        position = GAME.apply(position, Seat(seat), Move(move), NO_CHANCE)
    return position


def _laid(*cards: str, fresh: str = "", following: str | None = "a") -> Position:
    """Lay out a wheel: the stacks of each card; the fresh trees are on card a."""
    wheel = [tuple(card.split()) for card in cards]
    wheel += [()] * (5 - len(wheel))
    return Position("long", tuple(wheel), (tuple(fresh.split()), (), (), (), ()), following)


def _play(position: Position, move: str) -> Position:
    return GAME.apply(position, ONE, Move(move), NO_CHANCE)


def _refused(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refusal:
        GAME.read(position, ONE, text)
    return str(refusal.value)


def _invalid(position: Position, text: str) -> str:
    with pytest.raises(InvalidMove) as refusal:
        GAME.read(position, ONE, text)
    return str(refusal.value)


# -- the example file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", GAMES)
def test_the_example_games(vector: dict[str, Any]) -> None:
    position = _start(vector)
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
    position = _after(case["after_moves"], case["in_game"])
    seat = Seat(case["seat"])
    assert not GAME.allows(position, seat, case["move"])
    with pytest.raises(IllegalMove):
        GAME.read(position, seat, case["move"])
    with pytest.raises(IllegalMove):
        GAME.apply(position, seat, case["move"], NO_CHANCE)


@pytest.mark.parametrize("case", VECTORS["typed"], ids=lambda case: case["typed"])
def test_what_was_typed(case: dict[str, Any]) -> None:
    assert GAME.read(_after(case["after_moves"], case["in_game"]), ONE, case["typed"]) == case["move"]


@pytest.mark.parametrize("case", VECTORS["vaults"], ids=lambda case: " ".join(case["vault"]))
def test_what_a_vault_scores(case: dict[str, Any]) -> None:
    ended = _laid("R1", "", "", "", " ".join(case["vault"]), following=None)
    assert GAME.outcome(ended) == Outcome((case["score"],), ())


@pytest.mark.parametrize("case", VECTORS["refused_options"], ids=str)
def test_refused_options(case: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GAME.setup(case["players"], case["options"], NO_CHANCE)


# -- setup -------------------------------------------------------------------------------------------------


def test_the_small_game_lays_three_on_each_card() -> None:
    board = GAME.board(_after(0), ONE)
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
    wheel = _after(0, game=2).wheel
    assert [len(card) for card in wheel] == [6, 6, 6, 6, 0]
    laid = sorted(stack for card in wheel for stack in card)
    assert laid == sorted(2 * [colour + size for colour in "RYGB" for size in "123"])


# -- the worked example ------------------------------------------------------------------------------------

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
    assert _after(turn).wheel == tuple(tuple(card.split()) for card in wheel.split("|"))


def test_a_tree_finished_on_a_card_is_fresh_there_and_the_log_tells_of_it() -> None:
    position = _after(2)
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
    assert GAME.log(_after(7), ONE)[-1] == ended
    cleared = GAME.log(_after(11, game=3), ONE)
    assert [(entry["ended"], entry["cleared"]) for entry in cleared if isinstance(entry, dict)][-2:] == [
        (False, False),
        (True, True),
    ]
    board = GAME.board(_after(11, game=3), ONE)
    assert (board["over"], board["cleared"], board["free"]) == (True, True, False)


# -- legality ----------------------------------------------------------------------------------------------


def test_the_card_of_the_last_drop_must_be_sown() -> None:
    message = "Card c cannot be sown now. The last drop fell on b, so that card must be sown."
    assert _refused(_after(1), "sow c B3, G2, R2") == message


def test_the_fifth_drop_falls_on_the_card_that_is_sown() -> None:
    position = _play(_laid("R1 Y2 G2 B2 R2 Y3", "B3"), "sow a B2 on B3, G2, Y3, R2, Y2, R1 on B3/B2")
    assert position.wheel == (("Y2",), ("B3/B2/R1",), ("G2",), ("Y3",), ("R2",))
    assert position.fresh == ((), ("B3/B2/R1",), (), (), ())
    assert position.next == "b"


def test_a_tree_begun_and_finished_in_one_turn_is_fresh_on_the_card_that_was_sown() -> None:
    hand = "R3 R2 R1 Y1 Y1 G1 G1 B1 B1 Y2 Y2 G2 G2 B2 B2"
    sown = "sow a Y1, Y1, G1, G1, R3, B1, B1, Y2, Y2, R2 on R3, G2, G2, B2, B2, R1 on R3/R2"
    position = _play(_laid(hand), sown)
    assert position.wheel[0] == ("R3/R2/R1",)
    assert position.fresh[0] == ("R3/R2/R1",)
    assert position.next == "a"


def test_equal_pyramids_and_equal_stacks_make_no_second_move() -> None:
    position = _laid("R1 R1 Y2", "R2 R2", "R3/G2 R3/G2 B1")
    legal = list(GAME.moves(position, ONE))
    assert len(legal) == len(set(legal))
    assert "sow a R1 on R2, R1 on R3/G2, Y2" in legal


def test_the_legal_moves_are_all_orders_with_all_ways_to_put_them_down() -> None:
    position = _laid("R1 Y2/G1 R1", "R2 R2 Y3/B1", "R3 B3/G2", "G3/Y2", "B2")
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
    position = _laid("R3/G2/R1 R3", "", "", "", "B3", fresh="R3/G2/R1")
    assert GAME.steps(position, ONE, ("sow a",)) == ("R3/G2/R1", "G2", "R1", "R3")
    # One R3 may be the single one; after the second, or after R1, the tree is broken.
    assert "R3/G2/R1" in GAME.steps(position, ONE, ("sow a", "R3"))
    assert GAME.steps(position, ONE, ("sow a", "R3", "R3")) == ("G2", "R1")
    assert "R3/G2/R1" not in GAME.steps(position, ONE, ("sow a", "R1"))
    whole = _play(position, "sow a R3/G2/R1, R3")
    assert whole.wheel == ((), ("G2", "R1", "R3"), ("R3",), (), ("B3",))


def test_only_as_many_equal_trees_stay_whole_as_were_finished_this_turn() -> None:
    position = _laid("R3/G2/R1 R3/G2/R1", "B1", "B1", "B1", fresh="R3/G2/R1")
    assert GAME.allows(position, ONE, Move("sow a R3/G2/R1, G2, R1, R3"))
    assert _refused(position, "sow a R3/G2/R1, R3/G2/R1") == (
        "Drop 2, “R3/G2/R1”: R3/G2/R1 is sown whole only as often as it was finished on the turn just before. "
        "Still to be sown: G2, R1, R3."
    )


def test_freshness_lasts_one_turn() -> None:
    position = _laid("R2 R1", "Y3/Y2", "B1", "", "", fresh="")
    position = _play(position, "sow a R1 on Y3/Y2, R2")
    assert position.fresh[1] == ("Y3/Y2/R1",)
    assert _play(position, "sow c B1, R2").fresh == ((), (), (), (), ())


# -- resolution --------------------------------------------------------------------------------------------


def test_a_whole_tree_breaks_up_on_the_vault_too_and_gives_a_free_choice() -> None:
    position = Position("small", (("Y1",), (), (), ("G3/Y2/R1",), ()), ((), (), (), ("G3/Y2/R1",), ()), "d")
    position = _play(position, "sow d G3/Y2/R1")
    assert position.wheel[4] == ("G3", "R1", "Y2")
    assert position.next == "any"
    assert GAME.board(position, ONE)["score"] == 3
    assert GAME.steps(position, ONE, ()) == ("sow a",)
    assert GAME.log(position, ONE)[-1] == {
        "seat": 1, "move": "sow d G3/Y2/R1", "score": 3, "next": "any", "trees": [], "ended": False, "cleared": False,
    }  # fmt: skip


def test_a_tree_finished_in_the_vault_is_told_but_never_fresh() -> None:
    position = _play(_laid("Y1", "", "", "R1", "R3/R2", following="d"), "sow d R1 on R3/R2")
    assert position.fresh == ((), (), (), (), ())
    assert GAME.log(position, ONE)[-1] == {
        "seat": 1, "move": "sow d R1 on R3/R2", "score": 7, "next": "any", "trees": ["R3/R2/R1"], "ended": False,
        "cleared": False,
    }  # fmt: skip


def test_a_last_drop_on_an_empty_card_ends_the_game_whole_tree_or_not() -> None:
    single = _play(_laid("R1", ""), "sow a R1")
    whole = _play(_laid("R3/G2/R1", "", fresh="R3/G2/R1"), "sow a R3/G2/R1")
    assert GAME.outcome(single) == GAME.outcome(whole) == Outcome((0,), ())


def test_the_wheel_is_cleared_when_all_is_in_the_vault() -> None:
    position = _play(_laid("", "", "", "R1", "R3/R2", following="d"), "sow d R1 on R3/R2")
    assert GAME.outcome(position) == Outcome((7,), (ONE,))
    assert GAME.to_move(position) == ()


# -- what people write -------------------------------------------------------------------------------------


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
    assert GAME.read(_after(0), ONE, text) == "sow d Y1, B2 on R3, B1"


def test_a_tree_in_words_with_spaces_around_its_strokes() -> None:
    text = "y3 g1 on medium yellow large red / medium blue / small red"
    assert GAME.read(_after(2), ONE, text) == "sow a Y3, G1 on Y2, R3/B2/R1"


def test_the_card_is_left_out_only_where_the_last_drop_tells_it() -> None:
    assert GAME.read(_after(1), ONE, "y2 g3 b1 r1") == "sow b Y2, G3, B1, R1"
    message = "Say which card you sow, then the drops, as in “sow d Y1, B2 on R3, B1”."
    assert _invalid(_after(0), "y1 b2 b1") == message
    assert _invalid(_laid("R1", following="any"), "R1") == message


def test_a_stack_by_its_top_pyramid_counts_the_drops_before_it() -> None:
    position = _laid("R2 R1 Y2 Y3 B3 B1", "G3")
    text = "a R2 on G3, Y2, Y3, B3, B1, R1 on R2"
    assert GAME.read(position, ONE, text) == "sow a R2 on G3, Y2, Y3, B3, B1, R1 on G3/R2"


def test_a_single_pyramid_goes_before_a_stack_with_that_top() -> None:
    assert GAME.read(_laid("R1", "G2 Y3/G2"), ONE, "a r1 on g2") == "sow a R1 on G2"


def test_equal_stacks_are_one_kind_and_different_ones_must_be_named() -> None:
    assert GAME.read(_laid("R1", "Y3/G2 Y3/G2"), ONE, "a r1 on g2") == "sow a R1 on Y3/G2"
    assert _refused(_laid("R1", "R3/G2 Y3/G2"), "a r1 on g2") == (
        "Drop 1, “R1 on G2”: name the whole stack that R1 goes on. With G2 on top, b has: R3/G2, Y3/G2."
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello there!", "“Hello there” is no part of a move."),
        ("sow e Y1", "“e Y1” is no part of a move."),
        ("sow d Y1 R4", "“R4” is no part of a move."),
        ("sow d R3/R2/R1/R1", "“/R1” is no part of a move."),
        (",;:", "A move names a card and then the drops in order, as in “sow d Y1, B2 on R3, B1”."),
        ("sow sow d Y1", "“sow” stands where a pyramid should."),
        ("sow d on Y1", "“on” stands where a pyramid should."),
        ("sow d Y1 a", "“a” stands where a pyramid should."),
        ("sow d Y1 on", "The stack that Y1 goes on is missing after “on”."),
        ("sow d Y1 on d", "The stack that Y1 goes on is missing after “on”."),
        ("sow", "Say which card you sow"),
        ("> sow d Y1", "“>” stands where a pyramid should."),
        ("{card} {}", "“{card} {}” is no part of a move."),
    ],
)
def test_what_has_not_the_form_of_a_move(text: str, message: str) -> None:
    assert _invalid(_after(0), text).startswith(message)


# -- why a move is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "text", "message"),
    [
        (0, "sow vault Y1", "The vault is never sown. You may sow: a, b, c, d."),
        (1, "sow d Y1", "Card d is empty. You may sow: b."),
        (0, "sow d",
         ("All of card d is sown in one move. Still to be sown: B1, B2, Y1. "
          "The next drop falls on the vault, which is empty.")),
        (0, "sow d Y1, B2 on R3",
         ("All of card d is sown in one move. Still to be sown: B1. "
          "The next drop falls on b, where these stand: G3, R1, Y2.")),
        (1, "sow",
         ("All of card b is sown in one move. Still to be sown: B1, G3, R1, Y2. "
          "The next drop falls on c, where these stand: B3, G2, R2.")),
        (2, "sow a G1",
         ("All of card a is sown in one move. Still to be sown: B2, R1, R3, Y3. "
          "R3/B2/R1 may stay whole. The next drop falls on c, where these stand: B3, G2, R2, Y2.")),
        (2, "sow a R1",
         ("All of card a is sown in one move. Still to be sown: B2, G1, R3, Y3. "
          "The next drop falls on c, where these stand: B3, G2, R2, Y2.")),
        (0, "sow d Y1, B1 on G1, B2",
         "Drop 2, “B1 on G1”: B1 is not smaller than the top of G1, and a pyramid goes only on a larger one."),
        (0, "sow d Y1 on R3, B2, B1",
         "Drop 1, “Y1 on R3”: it falls on the vault, which is empty, so there is no R3 to put it on."),
        (0, "sow d Y1, B2 on B3, B1 on B2",
         "Drop 2, “B2 on B3”: it falls on a, where no stack B3 stands. What stands there: G1, R3, Y3."),
        (0, "sow d Y1, R2, B1", "Drop 2, “R2”: R2 is not on card d. Still to be sown: B1, B2."),
        (0, "sow d K1", "Drop 1, “K1”: K1 is not on card d. Still to be sown: B1, B2, Y1."),
        (0, "sow d Y1, Y1, B1", "Drop 2, “Y1”: Y1 was dropped already. Still to be sown: B1, B2."),
        (0, "sow d Y1, B2, B1, B1",
         "Drop 4, “B1”: all of card d is sown before it. A sowing ends when nothing is left in hand."),
        (0, "sow d R3/R2/R1", "Drop 1, “R3/R2/R1”: there is no stack R3/R2/R1 on card d, which holds: B1, B2, Y1."),
        (2, "sow a Y3, R3/B2/R1 on B3, G1",
         ("Drop 2, “R3/B2/R1 on B3”: a whole tree is never put on a stack. "
          "It goes down by itself, or is sown as single pyramids.")),
        (2, "sow a R1, R3/B2/R1",
         ("Drop 2, “R3/B2/R1”: R3/B2/R1 cannot be sown whole any more, "
          "for part of it was dropped before. Still to be sown: B2, G1, R3, Y3.")),
        (4, "sow c Y2/G1, G2, B3, G3, R2",
         "Drop 1, “Y2/G1”: Y2/G1 is no tree, so it is sown as single pyramids."),
        (7, "sow b R3, Y3, G3, B2", "The match is over."),
    ],
)  # fmt: skip
def test_a_refusal_names_what_is_wrong(after: int, text: str, message: str) -> None:
    assert _refused(_after(after), text) == message


def test_an_old_tree_is_refused_whole() -> None:
    assert _refused(_after(4, game=1), "sow c R3/G2/G1, B1, R2, Y1") == (
        "Drop 1, “R3/G2/G1”: R3/G2/G1 was not finished on the turn just before, so it is sown as single pyramids."
    )


def test_nobody_else_moves() -> None:
    position = _after(0)
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
    assert not GAME.allows(_after(0), ONE, Move(text))
    with pytest.raises(IllegalMove):
        _play(_after(0), text)


# -- steps, suggestions, views -----------------------------------------------------------------------------


def test_steps_refuse_a_piece_that_may_not_follow() -> None:
    position = _after(0)
    assert GAME.steps(position, ONE, ()) == ("sow a", "sow b", "sow c", "sow d")
    assert GAME.steps(position, ONE, ("sow d", "Y1", "B1")) == ("B2", "B2 on G3")
    with pytest.raises(IllegalMove, match="R2 is not on card d"):
        GAME.steps(position, ONE, ("sow d", "R2", "B1"))
    with pytest.raises(IllegalMove):
        GAME.steps(position, ONE, ("nonsense",))


@pytest.mark.parametrize("after", range(7))
def test_every_legal_move_has_a_path_and_no_path_is_a_dead_end(after: int) -> None:
    position = _after(after)
    ahead: list[tuple[str, ...]] = [()]
    found = []
    while ahead:
        chosen = ahead.pop()
        pieces = GAME.steps(position, ONE, chosen)
        if not pieces:
            found.append(chosen[0] + " " + ", ".join(chosen[1:]))
        ahead += [(*chosen, piece) for piece in pieces]
    assert sorted(found) == sorted(GAME.moves(position, ONE))


@settings(max_examples=30, deadline=None)
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
    position = _start(GAMES[game])
    while GAME.to_move(position):
        moves = GAME.suggest(position, ONE)
        assert 1 <= len(moves) == len(set(moves)) <= 3
        assert all(GAME.allows(position, ONE, move) for move in moves)
        position = _play(position, moves[0])
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert outcome.scores[0] >= (6, 0, 25)[game]


@pytest.mark.parametrize(
    ("position", "best"),
    [
        (_laid("B1", "", "", "R1", "Y3/Y2 R3/R2", following="d"), "sow d R1 on R3/R2"),
        (_laid("", "", "R1 R2", "", "R3", following="c"), "sow c R1, R2 on R3"),
    ],
)
def test_a_suggestion_scores(position: Position, best: str) -> None:
    assert GAME.suggest(position, ONE)[0] == best


def test_a_view_of_a_long_game_lists_the_first_moves_only() -> None:
    view = GAME.view(_after(0, game=2), ONE)
    assert len(view.moves) == 200
    assert not view.moves_are_all


# -- any text whatever -------------------------------------------------------------------------------------

WORDS = ["sow", "a", "b", "d", "vault", "on", "@", ">", "/", ",", ";", "Y1", "y2", "B1", "B2", "g3", "R3", "R1",
         "R3/B2", "R3/B2/R1", "R3/B2/R1/Y1", "K3", "large red", "1.", "-", "{", "}", "\n", " "]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([_after(0), _after(2), _after(7), _after(9, game=2), _after(11, game=3)]),
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
