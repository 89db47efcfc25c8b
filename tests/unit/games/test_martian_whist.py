"""Martian Whist, in the order of its rulebook."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games import GAMES, Chance, Eye, Game, IllegalMove, InvalidMove, Move, Outcome, Seat
from pbem.games.martian_whist import MartianWhist
from pbem.games.martian_whist.game import Position
from pbem.games.trees import PYRAMID_UNIT, TREES, follower_wins, pack, playable, score, strength, tree_moves, unpack
from tests.support.games.random_play import Match, walk
from tests.support.places import DATA

if TYPE_CHECKING:
    from collections.abc import Iterable

WHIST = MartianWhist()
CHANCE = Chance(bytes(range(32)))
ONE, TWO = Seat(1), Seat(2)
TOLD: dict[str, Any] = json.loads((DATA / "vectors/martian-whist.json").read_text(encoding="utf-8"))
OPENING = ["take 1", "swap", "take 7", "take 1", "take 10", "take 10"]


def after(moves: Iterable[str], sets: int = 2) -> Position:
    position = WHIST.setup(2, {"sets": sets}, CHANCE)
    for move in moves:
        position = WHIST.apply(position, position.to_move[0], Move(move), CHANCE)
    return position


def dealt(first: str, second: str, led: str | None = None) -> Position:
    """Stand in the tricks with these stashes; seat 1 leads, or has led."""
    return Position(
        to_move=(TWO,) if led else (ONE,),
        ply=31,
        dealt=after([]).dealt,
        heights=b"",
        stashes=(pack(first.split()), pack(second.split())),
        led=TREES[led] if led else None,
        won=(0, 0),
        past=None,
    )


def board(position: Position) -> dict[str, Any]:
    return WHIST.board(position, Eye.PUBLIC)


def listed(position: Position) -> list[str]:
    return list(WHIST.moves(position, position.to_move[0]))


def refusal(position: Position, text: str) -> str:
    with pytest.raises((IllegalMove, InvalidMove)) as caught:
        WHIST.read(position, position.to_move[0], text)
    return str(caught.value)


def ended(number: int) -> tuple[Position, list[Position]]:
    told = TOLD["games"][number]
    chance = Chance(bytes.fromhex(told["seed"]))
    positions = [WHIST.setup(2, told["options"], chance)]
    for seat, move in told["moves"]:
        positions.append(WHIST.apply(positions[-1], seat, move, chance))
    return positions[-1], positions


class TestSetup:
    def test_the_worked_example_is_dealt(self) -> None:
        trees = "Y3/R2/K1 R3/Y2/G1 K3/Y2/Y1 R3/G2/B1 G3/K2/R1 G3/B2/G1 Y3/R2/K1 K3/G2/B1 B3/B2/Y1 B3/K2/R1"
        assert ["/".join(tree) for tree in after([]).trees] == trees.split()

    def test_four_sets_are_the_default(self) -> None:
        position = WHIST.setup(2, {}, CHANCE)
        assert ["/".join(tree) for tree in position.trees[:3]] == ["Y3/Y2/G1", "Y3/Y2/K1", "R3/R2/K1"]
        assert (len(position.trees), position.limit, board(position)["sets"]) == (20, 10, 4)

    def test_it_is_found(self) -> None:
        assert isinstance(GAMES["martian-whist"], MartianWhist)


class TestDraft:
    def test_the_worked_example_is_drafted(self) -> None:
        counts, stashes, position = [], [], after([])
        for move in OPENING:
            counts.append(len(listed(position)))
            position = WHIST.apply(position, position.to_move[0], Move(move), CHANCE)
            stashes.append([" ".join(unpack(stash)) for stash in position.stashes])
        assert counts == [10, 11, 10, 10, 10, 10]
        assert stashes == [
            ["K1", ""], ["", "K1"], ["K1", "K1"], ["K1", "R2 K1"], ["R1 K1", "R2 K1"], ["R1 K1", "R2 K1 K2"],
        ]  # fmt: skip
        assert (position.trees[0], position.trees[6], position.trees[9]) == (("Y3",), ("Y3", "R2"), ("B3",))
        assert position.to_move == (ONE,)

    def test_the_first_draft_is_a_small_and_cannot_be_a_swap(self) -> None:
        assert listed(after([])) == [f"take {number}" for number in range(1, 11)]

    def test_swap_is_offered_to_seat_2_once(self) -> None:
        assert listed(after(["take 1"]))[-1] == "swap"
        assert "swap" not in listed(after(["take 1", "swap"]))
        assert "swap" not in listed(after(["take 1", "take 2"]))
        assert "swap" not in listed(after(["take 1", "take 2", "take 3"]))

    def test_a_seat_takes_no_more_of_a_size_than_it_can_use(self) -> None:
        # Seat 1 takes a small and seat 2 the medium under it, until each has its five.
        position = after(f"take {number}" for number in (1, 1, 3, 3, 5, 5, 7, 7, 9, 9))
        assert listed(position) == ["take 1", "take 3", "take 5", "take 7", "take 9"]
        assert not WHIST.allows(position, ONE, Move("take 2"))

    def test_a_seat_that_can_take_nothing_passes(self) -> None:
        position = replace(
            dealt("K1", "K3 K2"), dealt=(("R3", "R2", "R1"), ("B3", "B2", "B1")), heights=b"\3\0",
            past=after(["take 1"]).past,
        )  # fmt: skip
        assert listed(position) == ["pass"]
        assert WHIST.suggest(position, ONE) == ("pass",)
        assert WHIST.read(position, ONE, "Pass.") == "pass"
        assert refusal(position, "take 1").endswith("You can only pass.")
        passed = WHIST.apply(position, ONE, Move("pass"), CHANCE)
        assert (passed.to_move, passed.ply, passed.stashes) == ((TWO,), 32, position.stashes)
        assert listed(passed) == ["take 1"]
        assert WHIST.log(passed, Eye.PUBLIC)[-1] == {
            "seat": 1, "move": "pass", "took": None, "under": None, "winner": None,
        }  # fmt: skip

    @pytest.mark.parametrize(("second", "last"), [("take 1", TWO), ("swap", ONE)])
    def test_whoever_took_the_last_pyramid_leads(self, second: str, last: Seat) -> None:
        position = after(["take 1", second])
        while position.trees:
            drafter = position.to_move[0]
            position = WHIST.apply(position, drafter, Move(listed(position)[0]), CHANCE)
        assert drafter == last
        assert position.to_move == (last,)
        assert board(position)["leader"] == last
        assert all(len(unpack(stash)) == 15 for stash in position.stashes)


class TestTricks:
    def test_any_tree_of_the_stash_may_lead(self) -> None:
        position = dealt("R3 G3 R2 R1 K1 B2", "Y3 Y2 Y1 Y3 Y2 Y1")
        assert listed(position) == [
            "R3/R2/R1", "R3/R2/K1", "R3/B2/R1", "R3/B2/K1", "G3/R2/R1", "G3/R2/K1", "G3/B2/R1", "G3/B2/K1",
        ]  # fmt: skip

    def test_a_follower_shares_a_colour_of_any_size(self) -> None:
        position = dealt("K3 K2 K1", "Y3 B3 Y2 G2 Y1 B1", "R3/R2/G1")
        assert listed(position) == ["Y3/G2/Y1", "Y3/G2/B1", "B3/G2/Y1", "B3/G2/B1"]

    def test_a_follower_without_those_colours_is_free(self) -> None:
        assert listed(dealt("K3 K2 K1", "Y3 B2 Y1", "R3/R2/G1")) == ["Y3/B2/Y1"]

    def test_the_winner_leads_and_keeps_its_own_tree(self) -> None:
        position = WHIST.apply(
            dealt("R3 G2 R1 B3 B2 B1", "K3 K2 G1 Y3 Y2 Y1", "R3/G2/R1"), TWO, Move("K3/K2/G1"), CHANCE
        )
        assert position.to_move == (TWO,)
        assert unpack(position.won[1]) == ["G1", "K2", "K3"]
        assert unpack(position.stashes[1]) == ["Y1", "Y2", "Y3"]
        assert position.won[0] == 0

    def test_the_last_trick_ends_the_match(self) -> None:
        over = WHIST.apply(dealt("", "R3 R2 B1", "R3/R2/B1"), TWO, Move("R3/R2/B1"), CHANCE)
        assert over.to_move == ()
        assert WHIST.outcome(over) == Outcome((1, 0), (ONE,))

    def test_equal_scores_are_a_draw(self) -> None:
        position = dealt("", "B3 B2 B1", "R3/R2/G1")
        ahead = replace(position, won=(pack(["K1", "K2", "K3"]), 0))
        over = WHIST.apply(ahead, TWO, Move("B3/B2/B1"), CHANCE)
        assert WHIST.outcome(over) == Outcome((3, 3), (ONE, TWO))

    @pytest.mark.parametrize(
        ("led", "followed", "winner"),
        [
            ("R3/Y2/G1", "R3/G2/G1", "lead"), ("R3/G2/G1", "R3/Y2/G1", "follow"), ("G3/G2/K1", "G3/G2/G1", "follow"),
            ("B3/B2/B1", "K3/K2/R1", "lead"), ("Y3/Y2/Y1", "R3/R2/R1", "follow"), ("R3/R2/R1", "R3/R2/R1", "lead"),
            ("K3/B2/B1", "B3/R2/G1", "follow"), ("K3/B2/G1", "B3/R2/G1", "lead"), ("R3/Y2/B1", "R3/Y2/G1", "follow"),
            ("G3/Y2/R1", "Y3/G2/R1", "lead"), *((t["lead"], t["follow"], t["winner"]) for t in TOLD["tricks"]),
        ],
    )  # fmt: skip
    def test_resolution(self, led: str, followed: str, winner: str) -> None:
        assert follower_wins(Move(led), Move(followed)) == (winner == "follow")

    @pytest.mark.parametrize(
        ("won", "points"),
        [
            ("K1 K2 K3 R1 R2 R3", 6), ("K1 K2 R3 R1 G2 K3", 4), ("R1 Y1 R2 Y2 R3 Y3 G1 G2 B3", 7), ("", 0),
            *((" ".join(case["won"]), case["score"]) for case in TOLD["final_scores"]),
        ],
    )  # fmt: skip
    def test_final_scores(self, won: str, points: int) -> None:
        assert score(pack(won.split())) == points


class TestTyping:
    @pytest.mark.parametrize(
        "text",
        ["take 7", "7", "7.", "7!", "TAKE  7", "draft 7", "Take tree 7", "take 07", "1. take 7", "- 7", "７"],  # noqa: RUF001
    )
    def test_takes(self, text: str) -> None:
        assert WHIST.read(after([]), ONE, text) == "take 7"

    def test_swap_and_pass_in_any_case(self) -> None:
        assert WHIST.read(after(["take 1"]), TWO, " Swap! ") == "swap"

    @pytest.mark.parametrize(
        "text",
        [
            "R3/G2/R1", "r1 r3, g2", "lead r3-g2-r1", "Follow: R3 G2 R1", "play rgr", "RGR", "r g r", "R/G/R", "r3g2r1",
            "R3→G2→R1", "R3 – G2 – R1", "large red, medium green, small red", "rot groß, grün mittel, rot klein",
            "3) RGR", "red green red", "lead with Red/Green/Red.",
        ],
    )  # fmt: skip
    def test_trees(self, text: str) -> None:
        assert WHIST.read(dealt("R3 G2 R1", "K3 K2 K1"), ONE, text) == "R3/G2/R1"

    def test_steps_compose_a_tree_from_the_bottom(self) -> None:
        position = dealt("K3 K2 K1", "Y3 B3 Y2 G2 Y1 B1", "R3/R2/G1")
        assert WHIST.steps(position, TWO, ()) == ("Y3", "B3")
        assert WHIST.steps(position, TWO, ("B3",)) == ("G2",)
        assert WHIST.steps(position, TWO, ("B3", "G2")) == ("Y1", "B1")
        assert WHIST.steps(position, TWO, ("B3", "G2", "Y1")) == ()
        assert WHIST.steps(position, ONE, ()) == ()


class TestRefusals:
    """Each says what is wrong and what would be possible."""

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("take 11", "There is no tree “11”; the trees are numbered from 1 to 10. You can take from tree 1, 2"),
            ("0", "There is no tree “0”"),
            ("pass", "You may pass only when there is nothing you can take. You can take from tree 1, 2"),
            ("swap", "Only seat 2 may swap, and only on its first turn."),
            ("R3/G2/R1", "The draft is on: write “take” and the number of the tree"),
            ("hello", "You can take from tree 1, 2, 3, 4, 5, 6, 7, 8, 9 or 10."),
        ],
    )
    def test_in_the_draft(self, text: str, reason: str) -> None:
        assert reason in refusal(after([]), text)

    def test_an_emptied_tree(self) -> None:
        said = refusal(after(["take 1", "take 1", "take 1"]), "take 1")
        assert said.startswith("Nothing is left of tree 1. You can take from tree 2, 3")

    def test_the_choice_to_swap_is_named(self) -> None:
        assert refusal(after(["take 1"]), "take 99").endswith("9 or 10, or swap.")

    def test_too_many_of_a_size(self) -> None:
        told = next(case for case in TOLD["illegal"] if case["move"] == "take 3")
        _, positions = ended(told["in_game"])
        assert refusal(positions[told["after_moves"]], "take 3") == (
            "The top of tree 3 is G1 (small green), and you already have 5 small pyramids. You can take from tree 1, "
            "2, 4 or 9."
        )

    def test_a_colour_to_be_followed(self) -> None:
        position = dealt("K3 K2 K1", "Y3 B3 Y2 G2 Y1 B1", "R3/R2/G1")
        assert refusal(position, "Y3/Y2/Y1") == (
            "You must play a colour of the tree led, R3/R2/G1, and you can: with G2 (medium green). "
            "You can play Y3/G2/Y1, Y3/G2/B1, B3/G2/Y1 or B3/G2/B1."
        )

    def test_pyramids_that_are_not_there(self) -> None:
        said = refusal(dealt("R3 G2 R1", "K3 K2 K1"), "Y3 G2 K1")
        assert said == "Your stash has no Y3 (large yellow) and no K1 (small black). You can play R3/G2/R1."

    def test_three_pyramids_that_make_no_tree(self) -> None:
        said = refusal(dealt("R3 G2 R1", "K3 K2 K1"), "R3 G3 R1")
        assert said.startswith("“R3/G3/R1” is not a tree. A tree has one large, one medium and one small pyramid.")

    def test_many_possible_trees_are_counted(self) -> None:
        said = refusal(dealt("R3 G3 R2 R1 K1 B2", "Y3 Y2 Y1 Y3 Y2 Y1"), "take 7")
        assert said.startswith("The tricks are on: write the large, medium and small pyramid of your tree")
        assert said.endswith("You can play 8 trees, such as R3/R2/R1, R3/R2/K1, R3/B2/R1, R3/B2/K1 or G3/R2/R1.")

    def test_moves_of_no_form_are_not_applied(self) -> None:
        for position in (after([]), dealt("R3 G2 R1", "K3 K2 K1")):
            with pytest.raises(IllegalMove):
                WHIST.apply(position, ONE, Move("take"), CHANCE)


class TestSuggestions:
    def test_a_follower_wins_as_cheaply_as_it_can(self) -> None:
        position = dealt("B3 B2 B1", "K3 R3 G3 G2 B2 Y2 B1 G1 R1", "G3/G2/G1")
        best = WHIST.suggest(position, TWO)[0]
        assert not follower_wins(Move("G3/G2/G1"), best)
        assert strength(best) == min(strength(Move(move)) for move in listed(position))
        position = dealt("B3 B2 B1", "K3 R3 G3 G2 B2 Y2 B1 G1 R1", "G3/Y2/G1")
        assert follower_wins(Move("G3/Y2/G1"), WHIST.suggest(position, TWO)[0])

    def test_a_leader_prefers_what_cannot_be_beaten(self) -> None:
        best = WHIST.suggest(dealt("K3 B3 K2 B2 K1 B1", "R3 R2 R1 Y3 Y2 Y1"), ONE)[0]
        assert best == "K3/K2/K1"

    def test_the_draft_goes_for_high_colours(self) -> None:
        assert WHIST.suggest(after([]), ONE)[0] in {"take 1", "take 7"}
        assert "swap" in WHIST.suggest(after(["take 1"]), TWO)


class TestView:
    def test_the_board_of_the_draft(self) -> None:
        shown = board(after(["take 1"]))
        assert shown["trees"][0] == {"number": 1, "pieces": ["Y3", "R2"]}
        assert shown | {"trees": []} == {
            "sets": 2, "stage": "draft", "limit": 5, "trees": [], "stashes": [["K1"], []], "can_swap": True,
            "drafted": "K1", "leader": None, "led": None, "trick": None, "total": 5, "won": [[], []],
            "scores": [0, 0], "history": [],
        }  # fmt: skip

    def test_emptied_trees_are_left_out(self) -> None:
        assert [tree["number"] for tree in board(after(["take 1"] * 3))["trees"]] == list(range(2, 11))

    def test_the_board_of_the_tricks(self) -> None:
        _, positions = ended(1)
        first = next(at for at, position in enumerate(positions) if not position.trees)
        lead, follow, third = (board(position) for position in positions[first : first + 3])
        moves = [(seat, move.split("/")) for seat, move in TOLD["games"][1]["moves"][first : first + 2]]
        assert (lead["stage"], lead["leader"], lead["led"], lead["trick"]) == ("tricks", moves[0][0], None, 1)
        assert (follow["leader"], follow["led"], follow["trick"], follow["history"]) == (*moves[0], 1, [])
        assert third["trick"] == 2
        winner = third["leader"]
        assert third["history"] == [
            {"trick": 1, "leader": moves[0][0], "led": moves[0][1], "followed": moves[1][1], "winner": winner}
        ]
        assert third["won"][winner - 1] == [dict(moves)[winner]]
        assert sum(third["scores"]) in {1, 3}

    def test_the_board_when_it_is_over(self) -> None:
        over, _ = ended(1)
        shown = board(over)
        assert (shown["stage"], shown["leader"], shown["led"], shown["trick"]) == ("over", None, None, None)
        assert shown["scores"] == [8, 1]
        assert [len(won) for won in shown["won"]] == [
            [trick["winner"] for trick in shown["history"]].count(s) for s in (1, 2)
        ]

    def test_the_log_tells_what_was_taken_and_uncovered(self) -> None:
        assert WHIST.log(after(["take 1", "swap", "take 1", "take 1"]), Eye.PUBLIC) == [
            {"seat": 1, "move": "take 1", "took": "K1", "under": "R2", "winner": None},
            {"seat": 2, "move": "swap", "took": "K1", "under": None, "winner": None},
            {"seat": 1, "move": "take 1", "took": "R2", "under": "Y3", "winner": None},
            {"seat": 2, "move": "take 1", "took": "Y3", "under": None, "winner": None},
        ]

    def test_the_log_tells_who_won_a_trick(self) -> None:
        over, _ = ended(2)
        winners = [entry["winner"] for entry in WHIST.log(over, Eye.PUBLIC) if isinstance(entry, dict)]
        assert [winner for winner in winners if winner] == [1] * 5


class TestTrees:
    def test_there_are_125(self) -> None:
        assert len(TREES) == 125

    def test_a_tree_takes_one_of_each_size(self) -> None:
        assert tree_moves(playable(pack(["R1", "Y2", "R3", "G3"]), None)) == ["R3/Y2/R1", "G3/Y2/R1"]
        assert tree_moves(playable(pack(["R1", "R3", "G3", "K3"]), None)) == []

    def test_those_that_may_be_presented_are_found_as_the_rulebook_says(self) -> None:
        chance = Chance(bytes(32))
        for number in range(200):
            kinds = chance.shuffle(f"kinds/{number}", sorted(PYRAMID_UNIT))[: number % 16]
            led = chance.shuffle(f"led/{number}", list(TREES.values()))[0]
            free = [tree for tree in TREES.values() if set(tree.stack) <= set(kinds)]
            colours = {pyramid[0] for pyramid in led.stack}
            alike = [tree for tree in free if not colours.isdisjoint(pyramid[0] for pyramid in tree.stack)]
            stash = pack(kind for kind in kinds for _ in range(1 + number % 4))
            assert tree_moves(playable(stash, None)) == [tree.move for tree in free]
            assert tree_moves(playable(stash, led)) == [tree.move for tree in alike or free]


def test_no_size_is_ever_over_the_limit_in_random_play() -> None:
    game: Game[Any] = WHIST
    for number in range(10):
        for turn in walk(Match(game, 2, {"sets": 2}, number.to_bytes(32, "big"))):
            for stash in turn.after.stashes:
                sizes = [pyramid[1] for pyramid in unpack(stash)]
                assert all(sizes.count(size) <= 5 for size in "123")
