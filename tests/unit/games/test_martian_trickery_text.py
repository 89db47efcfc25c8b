"""What people write for a move of Martian Trickery, and how they are led to one."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.cards import DECK
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move
from pbem.games.hidden import Seat
from pbem.games.martian_trickery.position import Position, Trick
from pbem.games.pyramids import TREEHOUSE
from tests.support.examples import examples
from tests.support.games.trickery_play import (
    CHANCE,
    FIVE_TRICKS,
    GAME,
    ONE,
    TWO,
    holding,
    legal,
    play,
    read,
    table,
    tricks_won,
)


def refusal(position: Position, typed: str) -> str:
    (seat,) = GAME.to_move(position)
    with pytest.raises((InvalidMove, IllegalMove)) as refused:
        GAME.read(position, seat, typed)
    return str(refused.value)


# -- Move grammar ----------------------------------------------------------------------------------


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
    with pytest.raises(InvalidMove, match=r"^You lead this trick, so name a prize and a card, as in “.. ..”\."):
        GAME.read(position, ONE, typed)


def test_the_example_for_a_leader_keeps_what_was_right() -> None:
    assert "as in “R1 7H”. In the middle: R1 R2 R3 Y1" in refusal(table(), "7h")
    assert refusal(holding(table(), "KS 6S", "", ""), "r2") == (
        "You lead for R2: name one of your cards too, as in “R2 KS”. You may lead: KS 6S."
    )
    assert "as in “R1 AD”" in refusal(holding(table(), "AD", "", ""), "7h")


@pytest.mark.parametrize("typed", ["R2 QD", "QD for R3", "R2", "pass", "QD JD"])
def test_a_follower_names_just_a_card(typed: str) -> None:
    position = play(table(), ["R3 AD"])
    assert refusal(position, typed) == "The prize is R3, so a move is just one of your cards, such as “QD”."


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("B3 7H", "B3 is not a prize in this match. In the middle: R2 Y1 Y2 G2 G3 K1 K3."),
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
        ("AC", "You must follow suit if you can, and diamonds were led. You may play: QD JD."),
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


@settings(deadline=None, max_examples=examples(200))
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
    began = time.process_time()
    refusal(position, (piece * 1000)[:1000])
    refusal(position, piece * 100_000)
    # Of this process alone, and far from what it takes: the machine may be busy with other things.
    assert time.process_time() - began < 1


# -- steps and suggestions -------------------------------------------------------------------------


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
    position = holding(table(), "AD TD 9D 7C", "", "", tricks=tricks_won("R1 R2", "", ""))
    assert GAME.suggest(position, ONE) == ("R3 AD", "K1 7C")
    assert GAME.suggest(replace(position, middle=("R3",)), ONE) == ("R3 AD", "R3 7C")
    king = holding(position, "KD TD 7C", "", "")
    assert GAME.suggest(king, ONE) == ("K1 7C", "R3 KD")
    seen = Trick(ONE, "R2", ("AD", "QD", "JD"), ONE)
    assert GAME.suggest(replace(king, tricks=(king.tricks[0], seen)), ONE) == ("R3 TD", "R3 KD", "K1 7C")


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
    tricks = tricks_won("", "R1 R2", "R1 R2")
    seat = Seat(1 + len(cards))
    position = holding(table(), "", held, held, prize=prize, cards=cards, turn=seat, tricks=tricks)
    assert GAME.suggest(position, seat)[0] == best
