"""What is said in advance of any game: how clauses are joined, whose moves they name, and standing orders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games import Eye, InvalidMove, Move, NeverMet, Seat, View
from pbem.games.foresight import evaluate, unanswered_moves
from tests.support.games.game import CHANCE, COUNTING, ONE, START, TWO, Counted

SAID = Counted((2,), 3)
"""Seat 1 has said 2."""


def meets(condition: str) -> bool:
    return COUNTING.meets(COUNTING.view(SAID, TWO), condition)


class TestAnyGame:
    @pytest.mark.parametrize("condition", ["2", "if 2:", " 2. ", "seat 1: 2", "Seat 1 plays 2", "seat 1 2", "wenn 2"])
    def test_a_move_that_was_made(self, condition: str) -> None:
        assert meets(condition)

    @pytest.mark.parametrize("condition", ["3", "seat 1: 3", "seat 3: 2", "not 2", "unless 2"])
    def test_a_move_that_was_not(self, condition: str) -> None:
        assert not meets(condition)

    @pytest.mark.parametrize("condition", ["always", "Anything", "whatever", "when I can", "immer"])
    def test_what_is_always_so(self, condition: str) -> None:
        assert meets(condition)
        assert not meets(f"not {condition}")

    @pytest.mark.parametrize(
        ("condition", "said"),
        [
            ("it rains", "“it rains” is not a condition in Counting. You can write, for example: “2”, “always”."),
            ("seat 4: 2", "There is no seat 4: the last one is seat 3."),
            ("seat 0: 2", "There is no seat 0: the last one is seat 3."),
            ("seat 2: 2", "Seat 2 is yours. Name what another seat plays."),
            ("seat 1", "“seat 1” is not a condition in Counting."),
            ("", "That line is empty."),
            ("2" * 301, "That is too long for a condition."),
            ("2 or it rains", "“it rains” is not a condition"),
            ("3 and it rains", "“it rains” is not a condition"),
            ("not it rains", "“it rains” is not a condition"),
            ("2 or", "“2 or” is not a condition"),
        ],
    )
    def test_what_is_no_condition(self, condition: str, said: str) -> None:
        with pytest.raises(InvalidMove) as refusal:
            meets(condition)
        assert str(refusal.value).startswith(said)

    def test_the_examples_can_be_said(self) -> None:
        assert COUNTING.conditions(COUNTING.view(SAID, TWO)) == ("2", "always")
        assert COUNTING.conditions(COUNTING.view(START, ONE)) == ("always",)

    def test_what_may_be_wished_for_is_what_may_be_named(self) -> None:
        view = COUNTING.view(START, TWO)
        assert COUNTING.foresight.wished(view, "2") is None
        assert COUNTING.foresight.wished(COUNTING.view(START, ONE), "2") == "2"

    def test_what_looks_like_a_move_of_ones_own_can_be_waited_for(self) -> None:
        assert not COUNTING.meets(COUNTING.view(START, ONE), "17")
        with pytest.raises(InvalidMove):
            COUNTING.meets(COUNTING.view(START, ONE), "17 times")


class TestTold:
    def test_what_came_since_the_own_last_move(self) -> None:
        assert unanswered_moves(COUNTING.view(SAID, TWO)) == [(1, "2")]
        assert unanswered_moves(COUNTING.view(SAID, ONE)) == []
        assert unanswered_moves(COUNTING.view(Counted((2, 3), 3), ONE)) == [(2, "3")]

    def test_the_last_move_of_a_seat_that_moved_before(self) -> None:
        assert unanswered_moves(COUNTING.view(Counted((2, 3), 3), TWO)) == [(1, "2")]

    def test_what_is_hidden_is_not_told(self) -> None:
        view = replace(
            COUNTING.view(START, ONE),
            log=[
                {"seat": 2, "move": "1"},
                {"seat": 1, "move": "2"},
                {"seat": 2, "move": "3"},
                {"seat": 2, "move": None},
            ],
        )
        assert unanswered_moves(view) == [(2, "3")]

    def test_from_no_seat_all_moves_are_told(self) -> None:
        assert unanswered_moves(COUNTING.view(Counted((2, 3), 3), Eye.PUBLIC)) == [(1, "2"), (2, "3")]


class TestJoined:
    def clause(self, line: str) -> bool:
        if line == "never":
            raise NeverMet("Never.")
        if line not in {"yes", "no", "rock and roll"}:
            raise InvalidMove("No condition.")
        return line != "no"

    @pytest.mark.parametrize(
        ("line", "met"),
        [
            ("yes or no", True),
            ("no oder no", False),
            ("yes and no", False),
            ("yes und if yes", True),
            ("no and no or yes", True),
            ("not no and yes", True),
            ("not not yes", True),
            ("nicht unless no", False),
            ("rock and roll", True),
            ("no or rock and roll", True),
            ("never or yes", True),
            ("no or never", False),
            ("not never", True),
        ],
    )
    def test_clauses(self, line: str, met: bool) -> None:  # noqa: FBT001 (a case of a table)
        assert evaluate(line, self.clause) is met

    @pytest.mark.parametrize("line", ["never", "yes and never", "never or never", "not not never"])
    def test_what_can_never_be_met(self, line: str) -> None:
        with pytest.raises(NeverMet):
            evaluate(line, self.clause)

    @pytest.mark.parametrize("line", ["what", "never and what", "yes or what", "not what", "not " * 249 + "what"])
    def test_what_there_is_not(self, line: str) -> None:
        with pytest.raises(InvalidMove) as refusal:
            evaluate(line, self.clause)
        assert type(refusal.value) is InvalidMove


class TestStandingOrders:
    def follow(self, moves: tuple[str, ...], policy: str, *, all_of_them: bool = True) -> Move | None:
        view = replace(COUNTING.view(START, ONE), moves=tuple(map(Move, moves)), moves_are_all=all_of_them)
        return COUNTING.follow(view, policy)

    def test_each_has_a_sentence(self) -> None:
        assert COUNTING.policies == {"forced": "Play my only move whenever I have just one."}

    @pytest.mark.parametrize("policy", ["forced", "always forced", " Always: Forced. "])
    def test_the_only_move(self, policy: str) -> None:
        assert self.follow(("7",), policy) == "7"
        assert self.follow(("7", "8"), policy) is None
        assert self.follow(("7",), policy, all_of_them=False) is None
        assert self.follow((), policy) is None

    def test_a_game_of_few_words_chooses_nothing_else(self) -> None:
        assert COUNTING.foresight.choose(COUNTING.view(START, ONE), "high") is None

    def test_an_order_that_there_is_not(self) -> None:
        said = r"Counting has no standing order “follow low”\. You can use: forced\."
        with pytest.raises(InvalidMove, match=said):
            self.follow(("7",), "follow low")


def test_a_view_is_all_that_is_asked() -> None:
    after = COUNTING.apply(START, ONE, Move("3"), CHANCE)
    view: View = COUNTING.view(after, TWO)
    assert [COUNTING.meets(view, condition) for condition in ("3", "2", "seat 1: 3")] == [True, False, True]
    assert Seat(2) == view.viewer
