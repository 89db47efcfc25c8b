"""Amazonian Buffet by its rulebook; the sections are named where a case shows what they say."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import amazonian_buffet_advice as advice
from pbem.games import amazonian_buffet_layouts as layouts
from pbem.games import amazonian_buffet_turns as turns
from pbem.games.amazonian_buffet import AmazonianBuffet
from pbem.games.amazonian_buffet_turns import BOARD
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Seat, Viewer
from pbem.games.poker import COMPARE, level
from pbem.games.squares import as_set

if TYPE_CHECKING:
    from pbem.games.amazonian_buffet_position import Position

GAME = AmazonianBuffet()
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "vectors" / "amazonian-buffet.json").read_text(encoding="utf-8")
)
CHANCE = Chance(bytes(range(32)))
ONE, TWO = map(Seat, (1, 2))
VIEWERS: tuple[Viewer, ...] = (ONE, TWO, Eye.PUBLIC)

WORKED_EXAMPLE = ("a1-c3 f3", "a8-c6 c8", "c3-c1 d1", "f8-f6 d6", "c1-c4 f4", "c6-a4 a6")
IDLE = ("a1-b2 none", "a8-b7 none", "b2-a1 none", "b7-a8 none")
"""Four turns without a claim, from the beginning."""


def dealt(**options: object) -> Position:
    return GAME.setup(2, options, CHANCE)


def played(*moves: str, position: Position | None = None) -> Position:
    """Play moves, each by the first seat that is to move."""
    position = position or dealt()
    for move in moves:
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), CHANCE)
    return position


def after_board(*pairs: str, compare: str = "cards") -> Position:
    """Give a position of the layout stage in which the seats have claimed these squares."""
    stones = [as_set(BOARD.numbers[name] for name in pair.split()) for pair in (*pairs, "", "")[:2]]
    return with_stones(stones[0], stones[1], played(*IDLE, position=dealt(compare=compare)))


def with_stones(first: int, second: int, position: Position) -> Position:
    own, other = position.field.own, position.field.other
    return replace(position, stones=(first, second), field=turns.field(own, other, first | second))


def of_example(number: int, moves: int) -> Position:
    told = VECTORS["games"][number]
    chance = Chance(bytes.fromhex(told["seed"]))
    position = GAME.setup(2, told["options"], chance)
    for seat, move in told["moves"][:moves]:
        position = GAME.apply(position, seat, move, chance)
    return position


def refusal(position: Position, seat: Seat, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        GAME.read(position, seat, text)
    return str(caught.value)


def misread(position: Position, seat: Seat, text: str) -> str:
    with pytest.raises(InvalidMove) as caught:
        GAME.read(position, seat, text)
    return str(caught.value)


# -- the rulebook's own examples ---------------------------------------------------------------------


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


# -- turn order and who must act ---------------------------------------------------------------------


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
    shut_in = with_stones(as_set(BOARD.numbers[name] for name in ("a2", "b1", "b2", "e1", "e2", "f2")), 0, dealt())
    assert list(GAME.moves(shut_in, ONE)) == ["pass"]
    assert GAME.steps(shut_in, ONE, ()) == ("pass",)
    assert GAME.steps(shut_in, ONE, ("pass",)) == ()
    assert GAME.suggest(shut_in, ONE) == ("pass",)
    assert GAME.read(shut_in, ONE, "Pass.") == "pass"
    after = played("pass", position=shut_in)
    assert (after.idle, after.pawns, GAME.to_move(after)) == (1, shut_in.pawns, (TWO,))
    assert GAME.log(after, ONE)[-1] == {"seat": 1, "move": "pass", "stage": "board", "claimed": None}
    assert refusal(dealt(), ONE, "pass").startswith("You may pass only when neither pawn can move; “a1-")


@pytest.mark.parametrize("moves", [(), ("a1-c3 f3", "a8-c6 c8")])
def test_slides_are_offered_as_they_are_listed(moves: tuple[str, ...]) -> None:
    """Moving: with pawns that share a row, and with pawns that share nothing."""
    position = played(*moves)
    slides = dict.fromkeys(move.split()[0] for move in GAME.moves(position, ONE))
    assert GAME.steps(position, ONE, ()) == tuple(slides)
    assert ("f1-b1" in slides) == bool(moves)


# -- legality of a board turn ------------------------------------------------------------------------


def test_a_claim_is_at_an_intersection_or_between_the_pawns() -> None:
    """Claiming: also on the square just left; what stands on the way does not matter."""
    assert GAME.steps(dealt(), ONE, ("a1-c3",)) == ("c1", "f3", "none")
    position = played("a1-c3 none", "a8-c6 none")
    assert GAME.steps(position, ONE, ("c3-c1",)) == ("d1", "e1", "none")
    assert GAME.steps(position, ONE, ("c3-f3",)) == ("f2", "none")
    field = turns.field((BOARD.numbers["c3"], BOARD.numbers["f3"]), dealt().field.other, 0)
    side_by_side = replace(dealt(), field=field)
    assert GAME.steps(side_by_side, ONE, ("c3-c6",)) == ("c3", "f6", "none")


@pytest.mark.parametrize(
    ("moves", "text", "reason"),
    [
        ((), "a8-b7 none", "The pawn on a8 is not yours; yours are on a1 and f1."),
        ((), "c4-d6 none", "There is no pawn on c4; yours are on a1 and f1."),
        ((), "a1-a1 none", "A pawn must move at least one square; a1 is where it stands."),
        ((), "a1-b3 none", "straight or diagonally; b3 is not on a line with a1."),
        ((), "a1-b1 none", "b1 and f1 share row 1."),
        ((), "a1-f6 none", "must end on neither the row nor the file of the other pawn; f6 and f1 share file f."),
        ((), "a1-a8 none", "The way from a1 to a8 is blocked: there is a pawn on a8."),
        (("a1-c3 f3", "a8-c6 c8"), "f1-f5 none", "The way from f1 to f5 is blocked: there is a claim stone on f3."),
        (("a1-c3 f3", "a8-c6 c8"), "c3-c8 none", "The way from c3 to c8 is blocked: there is a pawn on c6."),
        ((), "a1-c3 d4", "d4 (KS) cannot be claimed: it is neither between your pawns nor where the row of one"),
        ((), "a1-c3 d4", "With a1-c3 you could claim c1 (4H) or f3 (KD)."),
        ((), "a1-c3 c3", "c3 (2C) cannot be claimed: there is a pawn on it."),
        (("a1-c3 f3", "a8-c6 c8"), "c3-b3 f3", "f3 (KD) cannot be claimed: there is a claim stone on it. With c3-b3"),
        ((), "a1-c3 5C", "The five of clubs is not on the board: it was dealt to a player."),
        ((), "a1-c3", "With a1-c3 you could claim c1 (4H) or f3 (KD). Add the square, as in “a1-c3 c1”"),
        ((), "a1-c3", "or say that you claim nothing: “a1-c3 none”."),
        ((), "a1-b1", "b1 and f1 share row 1."),
    ],
)  # fmt: skip
def test_why_a_turn_is_not_legal(moves: tuple[str, ...], text: str, reason: str) -> None:
    assert reason in refusal(played(*moves), ONE, text)


def test_only_canonical_text_is_a_move() -> None:
    for move in ("A1-C3 F3", "a1-c3", "a1-c3  f3", "a1-c3 KD", "a1-c3 f3 ", "", "a1-c3 f3 none"):
        assert not GAME.allows(dealt(), ONE, Move(move))
        with pytest.raises(IllegalMove, match="may not be played now"):
            GAME.apply(dealt(), ONE, Move(move), CHANCE)


def test_where_nothing_can_be_claimed_the_claim_may_be_left_out() -> None:
    """Move grammar: a bare pawn move stands for one that claims nothing, if it allows no claim."""
    position = with_stones(0, as_set((BOARD.numbers["c1"], BOARD.numbers["f3"])), dealt())
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


# -- building the hands ------------------------------------------------------------------------------

FEW = after_board("f3", "c8")
"""Seat 1 has KD 9S 2S, seat 2 has AH 5C 3S."""


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


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("KD 9S 2S | AH | -", "AH is not yours. Your cards: KD 9S 2S."),
        ("KD AH | AC | 9S 2S", "AH, AC are not yours."),
        ("KD 9S | 2S | KD", "KD can be used only once."),
        ("KD | 9S | -", "Exactly 3 cards must be used, and here are 2. Still unused: 2S."),
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
    assert misread(FEW, ONE, "keep") == "There is nothing to keep yet: first write your three hands."


def test_only_canonical_layouts_are_moves() -> None:
    for move in ("hands KD 2S 9S | - | -", "KD 9S 2S | - | -", "hands KD 9S 2S | -", "hands KD 9S  2S | - | -", "keep"):
        assert not GAME.allows(FEW, ONE, Move(move))
        with pytest.raises(IllegalMove, match="may not be played now"):
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


# -- sealed moves ------------------------------------------------------------------------------------

OWN, OTHER = Move("hands KD | 9S | 2S"), Move("hands AH | 5C | 3S")


def sealed(position: Position, seat: Seat, move: str) -> Position:
    return GAME.apply(position, seat, Move(move), CHANCE)


def told(position: Position, viewer: Viewer) -> list[tuple[Any, Any]]:
    return [(entry["seat"], entry["move"]) for entry in GAME.log(position, viewer) if isinstance(entry, dict)]


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
    assert refusal(position, TWO, OTHER).startswith("Your hands are sealed and cannot be changed")
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
    for compare in COMPARE:
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


# -- suggestions -------------------------------------------------------------------------------------


def test_suggested_turns_claim_what_goes_with_the_pool() -> None:
    position = played(*WORKED_EXAMPLE)
    suggested = GAME.suggest(position, ONE)
    assert len(suggested) == 3
    assert all(GAME.allows(position, ONE, move) and not move.endswith("none") for move in suggested)
    assert len({move.rpartition(" ")[2] for move in suggested}) == 3
    useful = [advice.usefulness(position.deal.grid[BOARD.numbers[move[-2:]]], position.pool(ONE)) for move in suggested]
    assert useful == sorted(useful, reverse=True)


def test_suggested_layouts_are_legal_and_begin_with_the_strongest_hand() -> None:
    for position, seat in product((of_example(0, 35), of_example(2, 61), FEW), (ONE, TWO)):
        suggested = GAME.suggest(position, seat)
        assert 1 <= len(set(suggested)) == len(suggested) <= 3
        assert all(GAME.allows(position, seat, move) for move in suggested)
        levels = [[level(hand) for hand in layouts.hands_of(move)] for move in suggested]
        assert levels[0] == sorted(levels[0], reverse=True)
        assert min(levels[0]) <= max(min(found) for found in levels)


def test_suggested_adjustments_win_more_than_keeping_or_keep() -> None:
    shown = sealed(sealed(FEW, ONE, OWN), TWO, OTHER)
    better, keep = GAME.suggest(shown, ONE)
    assert keep == "keep"
    assert GAME.outcome(sealed(sealed(shown, ONE, better), TWO, "keep")) == Outcome((2, 1), (ONE,))
    assert GAME.suggest(shown, TWO)[0] == "keep"


# -- anything typed ----------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["a1", "c3", "f3", "KD", "9S", "2S", "10", "h", "|", "-", "/", "hands", "keep", "pass", "x", "claim", "none", "\n"]
)


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join)))
def test_any_text_is_a_legal_move_or_refused_with_a_reason(text: str) -> None:
    for position in (dealt(), FEW, sealed(sealed(FEW, ONE, OWN), TWO, OTHER)):
        try:
            move = GAME.read(position, ONE, text)
        except (IllegalMove, InvalidMove) as error:
            reason = str(error)
            assert reason.endswith(".")
        else:
            assert GAME.allows(position, ONE, move)
            assert GAME.read(position, ONE, move) == move
        if not GAME.allows(position, ONE, Move(text)):
            with pytest.raises(IllegalMove):
                GAME.apply(position, ONE, Move(text), CHANCE)


# -- what may have been meant ------------------------------------------------------------------------


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
    assert [len(hand) for hand in layouts.hands_of(found)] == [5, 1, 0]


def test_keeping_is_near_when_layouts_are_shown() -> None:
    shown = played("hands KD | 9S | 2S", "hands AH 5C 3S | - | -", position=FEW)
    assert GAME.nearest(shown, ONE, "keeep") == ("keep",)
    assert GAME.nearest(played("keep", position=shown), ONE, "keeep") == ()
    assert GAME.nearest(shown, ONE, "KD KD | 2S") == ("hands KD 9S | 2S | -",)
