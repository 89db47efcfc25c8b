"""Martian Trickery by its rulebook; the sections are named where a case shows what they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games.cards import DECK
from pbem.games.errors import IllegalMove, InvalidMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Seat
from pbem.games.martian_trickery.score import hand_score
from pbem.games.pyramids import TREEHOUSE
from tests.support.games.trickery_play import (
    CHANCE,
    FIVE_TRICKS,
    GAME,
    ONE,
    THREE,
    TWO,
    VECTORS,
    hand,
    holding,
    legal,
    play,
    read,
    started,
    table,
    tricks_won,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games.martian_trickery.position import Position


def last_trick(held: tuple[str, ...], won: tuple[str, ...], *, hands: int) -> Position:
    """Stand before the last trick of hand 1, which seat 1 leads for the small red pyramid."""
    return holding(table(hands=hands), *held, middle=("R1",), tricks=tricks_won(*won))


# -- the example file ------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS["games"])
def test_whole_games_are_played_as_written(vector: dict[str, Any]) -> None:
    position, chance = started(vector)
    for ply, ((seat, move), count) in enumerate(zip(vector["moves"], vector["legal_counts"], strict=True), start=1):
        assert GAME.outcome(position) is None
        assert GAME.stage(position) == ply
        assert GAME.to_move(position) == (seat,)
        moves = list(GAME.moves(position, seat))
        assert len(moves) == len(set(moves)) == count
        assert GAME.read(position, seat, move.lower()) == move
        after = GAME.apply(position, seat, move, chance)
        assert GAME.reveals(position, move, after)
        position = after
    scores = tuple(vector["result"]["scores"][str(seat)] for seat in range(1, vector["players"] + 1))
    assert GAME.outcome(position) == Outcome(scores, tuple(vector["result"]["winners"]))
    assert GAME.to_move(position) == ()
    assert GAME.stage(position) == len(vector["moves"]) + 1


@pytest.mark.parametrize("case", VECTORS["illegal"], ids=lambda case: case["why"])
def test_what_may_not_be_played_is_refused(case: dict[str, Any]) -> None:
    vector = VECTORS["games"][case["in_game"]]
    position, chance = started(vector)
    position = play(position, (move for _, move in vector["moves"][: case["after_moves"]]), chance)
    seat, move = Seat(case["seat"]), Move(case["move"])
    assert not GAME.allows(position, seat, move)
    with pytest.raises((InvalidMove, IllegalMove)):
        GAME.read(position, seat, move)
    with pytest.raises(IllegalMove):
        GAME.apply(position, seat, move, chance)


@pytest.mark.parametrize(("typed", "canonical"), VECTORS["typed"])
def test_what_was_typed_is_read(typed: str, canonical: str) -> None:
    assert read(typed, canonical) == canonical


@pytest.mark.parametrize("case", VECTORS["hand_scores"])
def test_hauls_score_as_listed(case: dict[str, Any]) -> None:
    assert hand_score(case["won"], case["prizes"]) == case["score"]


@pytest.mark.parametrize("case", VECTORS["refused_options"])
def test_options_that_are_not_in_the_rulebook_are_refused(case: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        GAME.settle(case["players"], case["options"])
    with pytest.raises(OptionError):
        GAME.setup(case["players"], case["options"], CHANCE)


# -- Setup and Options -----------------------------------------------------------------------------


def test_the_defaults_come_into_force() -> None:
    assert GAME.settle(3, {}) == {"prizes": "treehouse", "out": "B", "hands": 4}


def test_two_stash_leaves_no_colour_out() -> None:
    assert GAME.settle(4, {"prizes": "two-stash", "hands": 1}) == {"prizes": "two-stash", "hands": 1}


@pytest.mark.parametrize(
    ("options", "prizes"),
    [
        ({}, "R1 R2 R3 Y1 Y2 Y3 G1 G2 G3 K1 K2 K3"),
        ({"out": "R"}, "Y1 Y2 Y3 G1 G2 G3 B1 B2 B3 K1 K2 K3"),
        ({"prizes": "two-stash"}, "R1 R1 R1 R2 R2 R2 R3 R3 R3 K1 K2 K3"),
    ],
)
def test_setup_3_twelve_prizes_lie_in_the_middle(options: dict[str, object], prizes: str) -> None:
    assert " ".join(table(**options).middle) == prizes


@pytest.mark.parametrize(("seats", "dropped"), [(3, "2345"), (4, "2")])
def test_setup_2_the_low_cards_stay_out(seats: int, dropped: str) -> None:
    position = table(seats)
    dealt = [card for held in position.hands for card in held.value]
    assert sorted(dealt) == sorted(card for card in DECK if card[0] not in dropped)
    assert [len(held.value) for held in position.hands] == [12] * seats


def test_worked_example_the_deal_of_hand_1() -> None:
    position = table()
    assert hand(position, 1) == "KS JS 9S 8H 7H 6H AD TD 9D KC QC 7C"
    assert hand(position, 2) == "QS AH KH TH 9H QD JD AC JC TC 9C 8C"
    assert hand(position, 3) == "AS TS 8S 7S 6S QH JH KD 8D 7D 6D 6C"
    assert GAME.to_move(position) == (1,)


# -- Legality --------------------------------------------------------------------------------------


def test_worked_example_legal_moves_of_five_tricks() -> None:
    position, counts = table(), []
    for move in FIVE_TRICKS:
        counts.append(len(legal(position)))
        position = play(position, [move])
    assert counts == [108, 2, 4, 88, 5, 1, 90, 2, 3, 72, 9, 2, 64, 3, 1]
    assert position.broken
    assert GAME.to_move(position) == (3,)
    assert " ".join(position.middle) == "R2 Y1 Y2 G2 G3 K1 K3"
    assert position.won == (("R3",), ("K2", "Y3"), ("G1", "R1"))
    assert [hand(position, seat) for seat in (1, 2, 3)] == [
        "KS JS 8H 7H TD 9D KC", "AH TH 9H QD TC 9C 8C", "TS 8S 7S QH KD 8D 7D",
    ]  # fmt: skip


def test_leading_each_prize_of_the_middle_with_each_plain_card() -> None:
    position = holding(table(), "AS 7H 6C", "", "", middle=("R1", "K2"))
    assert legal(position) == ["R1 7H", "R1 6C", "K2 7H", "K2 6C"]


def test_leading_with_prizes_of_one_name_once() -> None:
    position = holding(table(prizes="two-stash"), "7H", "", "")
    assert legal(position) == ["R1 7H", "R2 7H", "R3 7H", "K1 7H", "K2 7H", "K3 7H"]
    assert GAME.apply(position, ONE, Move("R2 7H"), CHANCE).middle.count("R2") == 2


def test_leading_a_spade_from_nothing_but_spades() -> None:
    position = holding(table(), "AS 6S", "", "", middle=("R1",))
    assert legal(position) == ["R1 AS", "R1 6S"]


def test_leading_a_spade_once_they_are_broken() -> None:
    position = holding(table(), "AS 7H", "", "", middle=("R1",), broken=True)
    assert legal(position) == ["R1 AS", "R1 7H"]


def test_following_suit_or_with_anything_if_there_is_none() -> None:
    position = holding(table(), "", "AS KH 7H 6C", "", prize="R1", cards=("8H",), turn=TWO)
    assert legal(position) == ["KH", "7H"]
    assert legal(replace(position, cards=("8D",))) == ["AS", "KH", "7H", "6C"]


@pytest.mark.parametrize(
    ("moves", "broken"),
    [
        (["R1 7H", "8H"], False),
        (["R1 7H", "9C"], False),  # a sluff
        (["R1 7H", "TS"], True),  # a trump
        (["R1 7H", "TS", "9S"], True),  # it stays so
    ],
)
def test_breaking_by_a_spade_in_a_trick_of_another_suit(moves: list[str], broken: bool) -> None:  # noqa: FBT001
    held = ["7H 6H", *(f"{move} 6D" for move in moves[1:]), "AC 6C"][:3]
    assert play(holding(table(), *held), moves).broken is broken


def test_breaking_by_a_spade_that_does_not_win() -> None:
    position = holding(table(), "7H 6H", "AS 6D", "6S 6C")
    after = play(position, ["R1 7H", "AS", "6S"])
    assert after.broken
    assert GAME.to_move(after) == (2,)


def test_breaking_is_not_done_by_leading_and_following_spades() -> None:
    position = holding(table(), "7S 6S", "AS 8S", "9S TS")
    assert not play(position, ["R1 7S", "AS", "TS"]).broken


# -- Resolution ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "winner"),
    [
        (("TH", "QH", "KH"), 3),
        (("TH", "AD", "9H"), 1),  # a higher card of another suit wins nothing
        (("TH", "6S", "AH"), 2),
        (("TH", "6S", "7S"), 3),
        (("6S", "AD", "AH"), 1),
    ],
)
def test_a_trick_goes_to_the_highest_spade_or_else_of_the_suit_led(hands: tuple[str, str, str], winner: int) -> None:
    position = holding(table(), *(f"{card} 7C" if card[1] != "S" else card for card in hands))
    after = play(position, [f"G2 {hands[0]}", hands[1], hands[2]])
    assert GAME.to_move(after) == (winner,)
    assert after.won[winner - 1] == ("G2",)
    assert "G2" not in after.middle


def disjoint(sets: Iterable[tuple[int, ...]]) -> bool:
    taken = list(chain.from_iterable(sets))
    return len(taken) == len(set(taken))


def best_by_brute_force(points: tuple[str, ...], whole_tree: int) -> int:
    worth: dict[tuple[int, ...], int] = {}
    for three in combinations(range(len(points)), 3):
        sizes = {points[i][1] for i in three}
        colours = {points[i][0] for i in three}
        if len(sizes) == 1:
            worth[three] = 7
        elif len(sizes) == 3:
            worth[three] = whole_tree if len(colours) == 1 else 5
    families = chain.from_iterable(combinations(worth, n) for n in range(len(points) // 3 + 1))
    return max(sum(worth[three] - 3 for three in sets) for sets in families if disjoint(sets)) + len(points)


@pytest.mark.parametrize(
    ("prizes", "points", "whole_tree"),
    [("treehouse", TREEHOUSE[:9], 7), ("two-stash", ("R1", "R2", "R3") * 3, 5)],
)
def test_scoring_finds_the_best_split_of_every_haul(prizes: str, points: tuple[str, ...], whole_tree: int) -> None:
    hauls = {tuple(sorted(haul)) for n in range(10) for haul in combinations(points, n)}
    for haul in hauls:
        best = best_by_brute_force(haul, whole_tree)
        assert hand_score(haul, prizes) == best
        assert hand_score((*haul, "K1", "K3"), prizes) == -best
        assert hand_score(("K2", *haul, "K1", "K3"), prizes) == 21 + best
        kept = tuple(pyramid for pyramid in haul if pyramid[1] != "2")
        assert hand_score(("K2", *haul), prizes) == best_by_brute_force(kept, whole_tree)


@pytest.mark.parametrize(
    ("haul", "score"),
    [
        ("R1", 1), ("R1 R2 R3", 7), ("R1 Y2 G3", 5), ("R1 Y1 G1 R2 Y3", 9), ("R1 R2 R3 Y1 Y2 Y3", 14),
        ("R1 Y1 G1 R2 R3", 9), ("R1 R2 R3 Y1 Y2 Y3 G1 G2 G3", 21), ("K1 R1 Y1 R2 Y2 G2", 7), ("K3 R1 R2 R3", 2),
        ("K1 K2 R1 Y1 G1 R2", -8), ("K1 K2", 0), ("K1 K2 K3", 21), ("K1 K2 K3 R1 Y2 G3", 26),
        ("R1 Y1 G1 R2 Y2 G2 R3", 15), ("", 0),
    ],
)  # fmt: skip
def test_worked_example_scores_of_hauls(haul: str, score: int) -> None:
    assert hand_score(haul.split(), "treehouse") == score


# -- End and result --------------------------------------------------------------------------------


def test_after_a_hand_the_deal_moves_on() -> None:
    position = last_trick(("AH", "KH", "QH"), ("R2 R3", "Y1 Y2 Y3 G1", "G2 G3 K1 K2 K3"), hands=2)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert after.scores == ((7, 8, 23),)
    assert GAME.to_move(after) == (2,)
    assert [len(held.value) for held in after.hands] == [12, 12, 12]
    deck = CHANCE.shuffle("deal/2", [card for card in DECK if card[0] not in "2345"])
    assert sorted(hand(after, 1).split()) == sorted(deck[:12])
    assert after.won == ((), (), ())
    assert after.middle == TREEHOUSE[:9] + TREEHOUSE[12:]
    assert not after.broken
    board = GAME.board(after, ONE)
    assert (board["hand_number"], board["dealer"], board["leader"]) == (2, 1, 2)
    assert (board["totals"], board["hand_scores"], board["tricks"]) == ([7, 8, 23], [[7, 8, 23]], [])


def test_the_match_ends_when_one_seat_alone_has_the_highest_total() -> None:
    position = last_trick(("AH", "KH", "QH"), ("R2 R3 Y1 Y2 Y3", "G1 K3", "G2 G3 K1 K2"), hands=1)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert GAME.outcome(after) == Outcome((14, 1, -2), (ONE,))
    assert GAME.to_move(after) == ()
    board = GAME.board(after, Eye.PUBLIC)
    assert (board["phase"], board["hand_number"], board["dealer"], board["trick_number"]) == ("over", 1, 3, 12)
    assert board["won"] == [["R2", "R3", "Y1", "Y2", "Y3", "R1"], ["G1", "K3"], ["G2", "G3", "K1", "K2"]]
    assert board["worth"] == [14, 1, -2]
    assert isinstance(board["tricks"], list)
    assert len(board["tricks"]) == 12
    last = GAME.log(after, Eye.PUBLIC)[-1]
    assert last == {
        "seat": 3, "move": "QH", "winner": 1, "prize": "R1",
        "hand_number": 1, "hand_scores": [14, 1, -2], "winners": [1],
    }  # fmt: skip
    for seat in (ONE, TWO, THREE):
        assert list(GAME.moves(after, seat)) == []
        assert GAME.steps(after, seat, ()) == ()
        assert GAME.suggest(after, seat) == ()
        assert not GAME.allows(after, seat, Move("R1 AH"))
        with pytest.raises(IllegalMove, match=r"^The match is over\.$"):
            GAME.read(after, seat, "AH")


def test_a_tie_for_the_highest_total_is_played_on_by_everyone() -> None:
    position = last_trick(("AH", "KH", "QH"), ("R2 R3 K1", "Y1 Y2", "Y3 G1 G2 G3 K2 K3"), hands=1)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert after.scores == ((2, 2, -8),)
    assert GAME.outcome(after) is None
    assert GAME.to_move(after) == (2,)
    assert GAME.log(after, ONE)[-1] == {
        "seat": 3, "move": "QH", "winner": 1, "prize": "R1",
        "hand_number": 1, "hand_scores": [2, 2, -8], "next_dealer": 1,
    }  # fmt: skip
