"""Martian Trickery by its rulebook; the sections are named where a case shows what they say."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.cards import DECK
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove, OptionError
from pbem.games.game import Move, Outcome
from pbem.games.hidden import Eye, Hidden, Seat, Viewer
from pbem.games.martian_trickery import MartianTrickery
from pbem.games.martian_trickery_position import Position, Trick
from pbem.games.martian_trickery_score import hand_score
from pbem.games.pyramids import TREEHOUSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GAME = MartianTrickery()
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "vectors" / "martian-trickery.json").read_text(encoding="utf-8")
)
CHANCE = Chance(bytes(range(32)))
ONE, TWO, THREE, FOUR = map(Seat, (1, 2, 3, 4))

# Of the worked example.
FIVE_TRICKS = (
    *("R3 AD", "JD", "6D"),
    *("K2 7C", "AC", "6C"),
    *("Y3 KH", "JH", "6H"),
    *("G1 JC", "6S", "QC"),
    *("R1 AS", "9S", "QS"),
)


def table(seats: int = 3, /, **options: object) -> Position:
    return GAME.setup(seats, options, CHANCE)


def play(position: Position, moves: Iterable[str], chance: Chance = CHANCE) -> Position:
    for move in moves:
        (seat,) = GAME.to_move(position)
        position = GAME.apply(position, seat, Move(move), chance)
    return position


def holding(position: Position, *hands: str, **changes: Any) -> Position:
    """Put other hands, and whatever else is wanted, into a position."""
    held = tuple(Hidden(tuple(hand.split()), frozenset({Seat(i)})) for i, hand in enumerate(hands, start=1))
    return replace(position, hands=held, **changes)


def last_trick(held: tuple[str, ...], prize: str, won: tuple[str, ...], *, hands: int) -> Position:
    """Stand before the last trick of hand 1, which seat 1 leads."""
    hauls = tuple(tuple(haul.split()) for haul in won)
    tricks = (Trick(ONE, "K1", ("AH", "KH", "QH"), ONE),) * 11
    return holding(table(hands=hands), *held, middle=(prize,), won=hauls, tricks=tricks)


def hand(position: Position, seat: int) -> str:
    return " ".join(position.hands[seat - 1].value)


def legal(position: Position) -> list[str]:
    (seat,) = GAME.to_move(position)
    return list(GAME.moves(position, seat))


def refusal(position: Position, typed: str) -> str:
    (seat,) = GAME.to_move(position)
    with pytest.raises((InvalidMove, IllegalMove)) as refused:
        GAME.read(position, seat, typed)
    return str(refused.value)


def started(vector: Mapping[str, Any]) -> tuple[Position, Chance]:
    chance = Chance(bytes.fromhex(vector["seed"]))
    return GAME.setup(vector["players"], vector["options"], chance), chance


# -- the example file ---------------------------------------------------------------------------------


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


# -- Setup and Options --------------------------------------------------------------------------------


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


# -- Legality -----------------------------------------------------------------------------------------


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


# -- Resolution ---------------------------------------------------------------------------------------


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


# -- End and result -----------------------------------------------------------------------------------


def test_after_a_hand_the_deal_moves_on() -> None:
    position = last_trick(("AH", "KH", "QH"), "R1", ("R2", "Y2", "K1"), hands=2)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert after.scores == ((2, 1, 0),)
    assert GAME.to_move(after) == (2,)
    assert [len(held.value) for held in after.hands] == [12, 12, 12]
    deck = CHANCE.shuffle("deal/2", [card for card in DECK if card[0] not in "2345"])
    assert sorted(hand(after, 1).split()) == sorted(deck[:12])
    assert after.won == ((), (), ())
    assert after.middle == TREEHOUSE[:9] + TREEHOUSE[12:]
    assert not after.broken
    board = GAME.board(after, ONE)
    assert (board["hand_number"], board["dealer"], board["leader"]) == (2, 1, 2)
    assert (board["totals"], board["hand_scores"], board["tricks"]) == ([2, 1, 0], [[2, 1, 0]], [])


def test_the_match_ends_when_one_seat_alone_has_the_highest_total() -> None:
    position = last_trick(("AH", "KH", "QH"), "R1", ("R2", "Y2", "K1 K2 G3"), hands=1)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert GAME.outcome(after) == Outcome((2, 1, -1), (ONE,))
    assert GAME.to_move(after) == ()
    board = GAME.board(after, Eye.PUBLIC)
    assert (board["phase"], board["hand_number"], board["dealer"], board["trick_number"]) == ("over", 1, 3, 12)
    assert (board["won"], board["worth"]) == ([["R2", "R1"], ["Y2"], ["K1", "K2", "G3"]], [2, 1, -1])
    assert isinstance(board["tricks"], list)
    assert len(board["tricks"]) == 12
    last = GAME.log(after, Eye.PUBLIC)[-1]
    assert last == {
        "seat": 3, "move": "QH", "winner": 1, "prize": "R1",
        "hand_number": 1, "hand_scores": [2, 1, -1], "winners": [1],
    }  # fmt: skip
    for seat in (ONE, TWO, THREE):
        assert list(GAME.moves(after, seat)) == []
        assert GAME.steps(after, seat, ()) == ()
        assert GAME.suggest(after, seat) == ()
        assert not GAME.allows(after, seat, Move("R1 AH"))
        with pytest.raises(IllegalMove, match=r"^The match is over\.$"):
            GAME.read(after, seat, "AH")


def test_a_tie_for_the_highest_total_is_played_on_by_everyone() -> None:
    position = last_trick(("AH", "KH", "QH"), "R1", ("R2", "Y1 Y2", "K1"), hands=1)
    after = play(position, ["R1 AH", "KH", "QH"])
    assert after.scores == ((2, 2, 0),)
    assert GAME.outcome(after) is None
    assert GAME.to_move(after) == (2,)
    assert GAME.log(after, ONE)[-1] == {
        "seat": 3, "move": "QH", "winner": 1, "prize": "R1",
        "hand_number": 1, "hand_scores": [2, 2, 0], "next_dealer": 1,
    }  # fmt: skip


# -- Move grammar -------------------------------------------------------------------------------------


def read(typed: str, canonical: str) -> Move:
    """Read what was typed by a seat that holds just the card of the canonical move, in a trick where it belongs."""
    card = canonical[-2:]
    position = holding(table(), card, "", card)
    if " " not in canonical:
        return GAME.read(replace(position, prize="R1", cards=("AH", "7" + card[1]), turn=THREE), THREE, typed)
    return GAME.read(position, ONE, typed)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("R2 7H", "R2 7H"),
        ("7h r2", "R2 7H"),
        ("7h,r2", "R2 7H"),
        ("play 10♥️ + k3", "K3 TH"),
        ("PLAY ten of hearts FOR large black.", "K3 TH"),
        ("lead queen of spades for large red!", "R3 QS"),
        ("1. large red, queen of spades", "R3 QS"),
        ("small yellow 10 h", "Y1 TH"),
        ("m\u0131ddle green k\u0131ng of clubs", "G2 KC"),
        ("Pik Dame", "QS"),
        ("Herz Zehn, großer roter", "R3 TH"),
        ("- qs", "QS"),
        ("2. 10 s", "TS"),
        ("lead as", "AS"),
        ("ＱＳ", "QS"),  # noqa: RUF001 (full-width letters, as some keyboards type them)
    ],
)
def test_other_ways_to_type_a_move(typed: str, canonical: str) -> None:
    assert read(typed, canonical) == canonical


@pytest.mark.parametrize(
    "typed", ["7H", "B2", "R2 7H 6H", "R2 Y2", "7H 7H", "pass", "R2 for", "R2,,7H", "lead", "R27H"]
)
def test_a_leader_must_name_a_prize_and_a_card(typed: str) -> None:
    position = table()
    with pytest.raises(InvalidMove, match=r"^You lead this trick, so a move names a prize and a card, like “.. ..”\."):
        GAME.read(position, ONE, typed)


def test_the_example_for_a_leader_keeps_what_was_right() -> None:
    assert "like “R1 7H”. In the middle: R1 R2 R3 Y1" in refusal(table(), "7h")
    assert refusal(holding(table(), "KS 6S", "", ""), "r2") == (
        "You lead for R2: name one of your cards too, as in “R2 KS”. You may lead: KS 6S."
    )
    assert "like “R1 AD”" in refusal(holding(table(), "AD", "", ""), "7h")


@pytest.mark.parametrize("typed", ["R2 QD", "QD for R3", "R2", "pass", "QD JD"])
def test_a_follower_names_just_a_card(typed: str) -> None:
    position = play(table(), ["R3 AD"])
    assert refusal(position, typed) == (
        "R3 is up as the prize already, so a move is just one card of yours, like “QD”."
    )


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("B3 7H", "B3 is no prize of this match. In the middle: R2 Y1 Y2 G2 G3 K1 K3."),
        ("R1 QH", "R1 has been won already. In the middle: R2 Y1 Y2 G2 G3 K1 K3."),
        ("R2 2H", "The deck of this match has no 2H. You may play: TS 8S 7S QH KD 8D 7D."),
        ("R2 KS", "You do not hold KS. You may play: TS 8S 7S QH KD 8D 7D."),
    ],
)
def test_a_leader_is_told_what_is_wrong(typed: str, reason: str) -> None:
    assert refusal(play(table(), FIVE_TRICKS), typed) == reason


def test_a_leader_is_told_that_spades_are_unbroken() -> None:
    assert refusal(table(), "R1 KS") == (
        "Spades are not broken yet, so while you hold another suit you may not lead KS. "
        "You may lead: 8H 7H 6H AD TD 9D KC QC 7C."
    )


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("AC", "You must follow suit while you can, and diamonds were led. You may play: QD JD."),
        ("AD", "You do not hold AD. You may play: QD JD."),
        ("3D", "The deck of this match has no 3D. You may play: QD JD."),
    ],
)
def test_a_follower_is_told_what_is_wrong(typed: str, reason: str) -> None:
    assert refusal(play(table(), ["R3 AD"]), typed) == reason


def test_a_seat_not_to_move_is_told_so_and_nothing_else() -> None:
    position = table()
    with pytest.raises(IllegalMove, match=r"^It is not your turn\.$"):
        GAME.read(position, TWO, "QS")
    with pytest.raises(IllegalMove, match=r"^It is not your turn\.$"):
        GAME.apply(position, TWO, Move("R1 QS"), CHANCE)
    assert list(GAME.moves(position, TWO)) == []
    assert GAME.steps(position, TWO, ()) == ()
    assert GAME.suggest(position, TWO) == ()


@pytest.mark.parametrize("move", ["", "R1", "R1  7H", "r1 7h", "7H R1", "R1 7H ", " R1 7H", "7H", "nonsense"])
def test_only_canonical_text_is_allowed(move: str) -> None:
    position = table()
    assert not GAME.allows(position, ONE, Move(move))
    with pytest.raises(IllegalMove):
        GAME.apply(position, ONE, Move(move), CHANCE)


WORDS = st.sampled_from([*DECK, *TREEHOUSE, *tuple("RS17,+-"), "10", "♠️", "1.", "for", "lead", "large red", "queen of"])
TYPED = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=6).map(" ".join), st.lists(WORDS).map("".join))


@settings(deadline=None, max_examples=200)
@given(typed=TYPED, following=st.booleans())
def test_any_text_is_a_legal_move_or_refused_in_a_sentence(typed: str, following: bool) -> None:  # noqa: FBT001
    position = play(table(), ["R3 AD"] if following else [])
    (seat,) = GAME.to_move(position)
    try:
        move = GAME.read(position, seat, typed)
    except (InvalidMove, IllegalMove) as refused:
        assert str(refused).endswith((".", "”."))  # noqa: PT017 (either way is right, and both are looked at)
    else:
        assert move in legal(position)


@pytest.mark.parametrize("piece", ["R2 7H ", "10 ", "a", "queen of ", "large ", ",+", "for ", "- ", "1. ", "♠️", "{0}"])
def test_no_text_takes_long_to_read(piece: str) -> None:
    position = table()
    began = time.perf_counter()
    refusal(position, (piece * 1000)[:1000])
    refusal(position, piece * 100_000)
    assert time.perf_counter() - began < 0.05


# -- steps and suggestions ----------------------------------------------------------------------------


def test_a_leader_chooses_a_prize_and_then_a_card() -> None:
    position = holding(table(prizes="two-stash"), "AS 7H 6C", "", "")
    assert GAME.steps(position, ONE, ()) == ("R1", "R2", "R3", "K1", "K2", "K3")
    assert GAME.steps(position, ONE, ("K1",)) == ("7H", "6C")
    assert GAME.steps(position, ONE, ("K1", "7H")) == ()


def test_a_follower_chooses_a_card() -> None:
    position = play(table(), ["R3 AD"])
    assert GAME.steps(position, TWO, ()) == ("QD", "JD")
    assert GAME.steps(position, TWO, ("QD",)) == ()


def test_suggested_leads_put_a_wanted_prize_up_with_a_sure_card() -> None:
    position = holding(table(), "AD TD 9D 7C", "", "", won=(("R1", "R2"), (), ()))
    assert GAME.suggest(position, ONE) == ("R3 AD", "K1 7C")
    assert GAME.suggest(replace(position, middle=("R3",)), ONE) == ("R3 AD", "R3 7C")
    king = holding(position, "KD TD 7C", "", "")
    assert GAME.suggest(king, ONE) == ("K1 7C", "R3 KD")
    seen = (Trick(ONE, "Y1", ("AD", "QD", "JD"), ONE),)
    assert GAME.suggest(replace(king, tricks=seen), ONE) == ("R3 TD", "R3 KD", "K1 7C")


@pytest.mark.parametrize(
    ("prize", "cards", "best"),
    [
        ("R3", ("TH",), "AH"),  # somebody may still beat a lower card
        ("R3", ("TH", "8H"), "QH"),  # nobody can any more
        ("R3", ("TH", "6S"), "7H"),  # lost anyway
        ("K1", ("TH",), "9H"),  # the highest card that does not win it
        ("K1", ("6H",), "7H"),  # a later seat may still take it
        ("K1", ("6H", "AC"), "AH"),  # it cannot be avoided
    ],
)
def test_suggested_cards_win_what_is_wanted_and_lose_what_is_not(prize: str, cards: tuple[str, ...], best: str) -> None:
    held = "AH QH 9H 7H"
    won = ((), ("R1", "R2"), ("R1", "R2"))
    seat = Seat(1 + len(cards))
    position = holding(table(), "", held, held, prize=prize, cards=cards, turn=seat, won=won)
    assert GAME.suggest(position, seat)[0] == best


# -- What each seat may see ---------------------------------------------------------------------------

OPEN_TO_ALL: dict[str, Any] = {
    "prizes": "treehouse",
    "out": "B",
    "hands": 4,
    "hand_number": 1,
    "dealer": 3,
    "leader": 3,
    "phase": "follow",
    "middle": ["Y1", "Y2", "G2", "G3", "K1", "K3"],
    "prize": "R2",
    "trick_number": 6,
    "trick": [{"seat": 3, "card": "TS"}],
    "broken": True,
    "won": [["R3"], ["K2", "Y3"], ["G1", "R1"]],
    "worth": [1, 1, 2],
    "hand_sizes": [7, 7, 6],
    "totals": [0, 0, 0],
    "hand_scores": [],
    "tricks": [
        {"prize": prize, "winner": winner, "cards": [{"seat": seat, "card": card} for seat, card in played]}
        for prize, winner, played in [
            ("R3", 1, [(1, "AD"), (2, "JD"), (3, "6D")]),
            ("K2", 2, [(1, "7C"), (2, "AC"), (3, "6C")]),
            ("Y3", 2, [(2, "KH"), (3, "JH"), (1, "6H")]),
            ("G1", 3, [(2, "JC"), (3, "6S"), (1, "QC")]),
            ("R1", 3, [(3, "AS"), (1, "9S"), (2, "QS")]),
        ]
    ],
}


def test_the_board_shows_a_seat_its_own_hand_alone() -> None:
    position = play(table(), [*FIVE_TRICKS, "R2 TS"])
    own = ["KS", "JS", "8H", "7H", "TD", "9D", "KC"]
    assert GAME.board(position, ONE) == OPEN_TO_ALL | {"hand": own}
    assert GAME.board(position, Eye.PUBLIC) == OPEN_TO_ALL | {"hand": None}
    assert GAME.board(position, Eye.OPEN) == OPEN_TO_ALL | {
        "hand": None,
        "hands_open": [own, ["AH", "TH", "9H", "QD", "TC", "9C", "8C"], ["8S", "7S", "QH", "KD", "8D", "7D"]],
    }


def test_the_board_before_the_first_move() -> None:
    board = GAME.board(table(4, prizes="two-stash"), Eye.PUBLIC)
    assert (board["phase"], board["trick_number"], board["trick"], board["prize"]) == ("lead", 1, [], None)
    assert (board["prizes"], board["out"], board["dealer"], board["leader"]) == ("two-stash", None, 4, 1)


def test_the_log_tells_every_card_and_what_came_of_it() -> None:
    log = GAME.log(play(table(), [*FIVE_TRICKS, "R2 TS"]), Eye.PUBLIC)
    assert log[:3] == [
        {"seat": 1, "move": "R3 AD"},
        {"seat": 2, "move": "JD"},
        {"seat": 3, "move": "6D", "winner": 1, "prize": "R3"},
    ]
    assert log[9:] == [
        {"seat": 2, "move": "G1 JC"},
        {"seat": 3, "move": "6S", "broken": True},
        {"seat": 1, "move": "QC", "winner": 3, "prize": "G1"},
        {"seat": 3, "move": "R1 AS"},
        {"seat": 1, "move": "9S"},
        {"seat": 2, "move": "QS", "winner": 3, "prize": "R1"},
        {"seat": 3, "move": "R2 TS"},
    ]


@pytest.mark.parametrize("vector", VECTORS["games"])
def test_the_log_tells_of_breaking_at_most_once_a_hand(vector: dict[str, Any]) -> None:
    position, chance = started(vector)
    position = play(position, (move for _, move in vector["moves"]), chance)
    log: list[Any] = GAME.log(position, Eye.PUBLIC)
    assert [[entry["seat"], entry["move"]] for entry in log] == vector["moves"]
    ends = [i for i, entry in enumerate(log) if "hand_scores" in entry]
    assert [log[i]["hand_number"] for i in ends] == list(range(1, len(position.scores) + 1))
    cards_of_hand = 12 * vector["players"]
    for first in range(0, len(log), cards_of_hand):
        assert sum("broken" in entry for entry in log[first : first + cards_of_hand]) <= 1
    assert sum("broken" in entry for entry in log) > 1


def test_no_secret_is_in_the_repr() -> None:
    assert "QS" not in repr(table())


@st.composite
def positions(draw: st.DrawFn) -> Position:
    seats = draw(st.sampled_from([3, 4]))
    options: dict[str, object] = draw(
        st.sampled_from([{}, {"hands": 1}, {"out": "G"}, {"prizes": "two-stash", "hands": 2}])
    )
    chance = Chance(draw(st.binary(min_size=32, max_size=32)))
    stream = chance.stream("picks")
    position = GAME.setup(seats, options, chance)
    for _ in range(draw(st.integers(0, 110))):
        if position.over:
            break
        moves = legal(position)
        position = play(position, [moves[stream.below(len(moves))]], chance)
    return position


@settings(deadline=None, max_examples=40)
@given(position=positions(), seed=st.binary(min_size=32, max_size=32))
def test_nobody_can_tell_an_exchanged_position(position: Position, seed: bytes) -> None:
    viewers: list[Viewer] = [Eye.PUBLIC, Eye.OPEN, *map(Seat, range(1, position.terms.seats + 1))]
    for viewer in viewers:
        other = GAME.exchange(position, viewer, seed)
        assert other == GAME.exchange(position, viewer, seed)
        assert GAME.view(other, viewer) == GAME.view(position, viewer)
        assert json.dumps(GAME.board(other, viewer)) == json.dumps(GAME.board(position, viewer))
        assert sorted(card for held in other.hands for card in held.value) == sorted(
            card for held in position.hands for card in held.value
        )
        if not isinstance(viewer, Eye):
            assert GAME.suggest(other, viewer) == GAME.suggest(position, viewer)
            for typed in ("7H", "R1 7H", "KS", "R3 KS", "2C", "?"):
                assert said(other, viewer, typed) == said(position, viewer, typed)


def said(position: Position, seat: Seat, typed: str) -> str:
    try:
        return GAME.read(position, seat, typed)
    except (InvalidMove, IllegalMove) as refused:
        return str(refused)


def test_exchanging_deals_the_unseen_cards_anew() -> None:
    position = table()
    other = GAME.exchange(position, ONE, bytes(32))
    assert other.hands[0] == position.hands[0]
    assert other.hands[1] != position.hands[1]
    assert other.hands != GAME.exchange(position, ONE, bytes(range(32))).hands
    assert GAME.exchange(position, Eye.PUBLIC, bytes(32)).hands[0] != position.hands[0]
    assert GAME.exchange(position, Eye.OPEN, bytes(32)) == position


@settings(deadline=None, max_examples=40)
@given(position=positions())
def test_steps_moves_suggestions_and_reading_agree(position: Position) -> None:
    for seat in GAME.to_move(position):
        moves = legal(position)
        assert all(GAME.allows(position, seat, Move(move)) for move in moves)
        assert set(GAME.suggest(position, seat)) <= set(moves)
        assert GAME.suggest(position, seat)
        paths: list[tuple[str, ...]] = [(piece,) for piece in GAME.steps(position, seat, ())]
        if not position.cards:
            paths = [(*path, piece) for path in paths for piece in GAME.steps(position, seat, path)]
        assert [GAME.read(position, seat, " ".join(path)) for path in paths] == moves
        assert all(GAME.steps(position, seat, path) == () for path in paths)
        every = {f"{prize} {card}" for prize in TREEHOUSE for card in DECK} | set(DECK)
        assert not any(GAME.allows(position, seat, Move(move)) for move in every - set(moves))


@settings(deadline=None, max_examples=40)
@given(position=positions())
def test_no_card_and_no_prize_is_ever_lost(position: Position) -> None:
    tricks = position.tricks_of_hand
    gone = [card for trick in tricks for card in trick.cards]
    held = [card for unplayed in position.hands for card in unplayed.value]
    assert sorted([*gone, *position.cards, *held]) == sorted(position.terms.deck)
    prizes = [*position.middle, *chain.from_iterable(position.won), *([position.prize] if position.prize else [])]
    assert sorted(prizes) == sorted(position.terms.middle)
    assert len(GAME.log(position, Eye.PUBLIC)) == GAME.stage(position) - 1
