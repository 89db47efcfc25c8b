"""Montauk by its rulebook: setup, tricks, nulls, scores, and what each seat may see."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games import Chance, Eye, Hidden, IllegalMove, InvalidMove, Move, Outcome, Seat
from pbem.games.montauk.cards import HAND_ORDER, VALUE, extra_to_use, trick_result
from pbem.games.montauk.round import Race, Trick
from tests.support.games.montauk_play import (
    EXAMPLE,
    GAME,
    ONE,
    TWO,
    VECTORS,
    VIEWERS,
    after_moves,
    played,
    positions,
    spending,
)

if TYPE_CHECKING:
    from pbem.games import Viewer
    from pbem.games.montauk.round import Position
    from pbem.games.montauk.track import Track


def test_rounds_are_twelve_unless_chosen() -> None:
    assert GAME.settle(2, {}) == {"rounds": 12}
    assert [GAME.settle(2, {"rounds": n})["rounds"] for n in range(1, 13)] == list(range(1, 13))


# -- Setup, Cards ------------------------------------------------------------------------------------------


def test_setup_of_the_worked_example() -> None:
    position = GAME.setup(2, {}, Chance(EXAMPLE))
    board = GAME.board(position, Eye.OPEN)
    assert GAME.to_move(position) == (ONE,)
    assert board["hair"] == 1
    assert board["hands"] == [["3S", "TS", "9H", "JD", "3C", "8C"], ["QS", "QH", "2D", "QD", "AC", "TC"]]
    assert position.pile.value[:8] == ("6H", "5C", "3H", "AD", "5S", "KS", "6D", "6S")
    assert board["tracks"] == [{"spots": [2, 1, 0, 3, 0, 0], "off": 0}, {"spots": [2, 1, 0, 0, 2, 1], "off": 0}]


def test_the_deck_is_24_pairs_of_twins_and_four_kings() -> None:
    kinds = Counter((card[1], VALUE[card]) for card in HAND_ORDER)
    assert sorted(Counter(kinds.values()).items()) == [(1, 4), (2, 24)]
    assert {VALUE[card] for card in ("AS", "7S", "KH")} == {1, 0}


@pytest.mark.parametrize(("scores", "leader"), [((3, 3), 1), ((2, 3), 1), ((3, 2), 2)])
def test_the_lower_score_leads_and_else_the_long_haired_seat(scores: tuple[int, int], leader: int) -> None:
    assert replace(GAME.setup(2, {}, Chance(EXAMPLE)).score, scores=scores).leader() == leader


def test_the_winner_of_a_trick_leads_the_next_and_every_round_is_dealt_anew() -> None:
    walk = list(positions(1))
    for before, seat, _, after, _ in walk:
        if before.phase in {"spend", "extra"} and after.phase == "lead" and after.race.trick > 1:
            assert GAME.to_move(after) == (seat,)
    dealt = [after for before, _, _, after, _ in walk if after.score.round > before.score.round]
    assert [after.score.round for after in dealt] == [2, 3]
    for after in dealt:
        assert after.race.nulls == (0, 0)
        assert after.race.first is None
        assert [len(hand.value) for hand in after.hands] == [6, 6]
        assert [sum(track) for track in after.race.tracks] == [6, 6]


def test_all_52_cards_are_always_somewhere() -> None:
    for before, *_ in positions(1):
        lying = [before.trick.lead.value] if before.trick.lead else []
        seen = [*before.hands[0].value, *before.hands[1].value, *before.pile.value, *before.played, *lying]
        assert sorted(seen) == sorted(HAND_ORDER)


# -- Resolution --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", VECTORS["tricks"], ids=lambda case: f"{case['lead']} {case['follow']} {case['extra']}")
def test_tricks(case: dict[str, Any]) -> None:
    result = trick_result(case["lead"], case["follow"])
    assert result.follower_wins == (case["winner"] == "follow")
    assert list(result.to_use) == case["spend"]
    assert result.draws == (case["extra"] is not None)
    if case["extra"]:
        assert list(extra_to_use(case["lead"], case["follow"], case["extra"])) == case["extra_spend"]


def test_the_worked_example() -> None:
    position = played("3S; AC; 5-2 1-off; TC; 3C; 4-1 4-off; 4-off; 8C; 2D; 6-4 4-2 2-off 2-off; 5-off")
    board = GAME.board(position, Eye.PUBLIC)
    assert board["tracks"] == [{"spots": [3, 1, 0, 0, 0, 0], "off": 2}, {"spots": [1, 1, 0, 0, 0, 0], "off": 4}]
    assert (board["trick"], board["leader"], board["nulls"]) == (4, 2, [0, 0])
    assert board["played"] == ["3S", "AC", "TC", "3C", "6H", "8C", "2D", "5C"]
    log: list[Any] = GAME.log(position, Eye.PUBLIC)
    assert log[4] == {
        "seat": 1, "move": "3C", "phase": "follow", "round": 1, "trick": 2, "led": "TC", "winner": 1, "to_use": [3, 4]
    }  # fmt: skip
    assert log[5] == {
        "seat": 1, "move": "4-1 4-off", "phase": "spend", "round": 1, "trick": 2, "extra": "6H", "extra_to_use": [6]
    }  # fmt: skip


def ending(
    mine: Track, yours: Track, *, nulls: tuple[int, int] = (0, 0), first: Seat | None = None, trick: int = 2
) -> tuple[Position, dict[str, Any]]:
    """Finish a trick by seat 2 with the spend `1-off`, its track being `mine`."""
    position = after_moves(2)
    position = replace(
        position,
        race=Race(trick, (yours, mine), nulls, first),
        trick=Trick(ONE, "spend", TWO, TWO, (1,), None, ("3S", "AC")),
    )
    after = GAME.apply(position, TWO, next(GAME.moves(position, TWO)), Chance(EXAMPLE))
    told: list[Any] = GAME.log(after, Eye.PUBLIC)
    return after, told[-1]


THREE = (1, 1, 1, 0, 0, 0)
EMPTY = (0, 0, 0, 0, 0, 0)


def test_the_first_with_all_six_off_is_marked_once() -> None:
    after, told = ending((1, 0, 0, 0, 0, 0), THREE)
    assert (after.race.first, told["first"]) == (TWO, 2)
    after, told = ending((1, 0, 0, 0, 0, 0), EMPTY, first=ONE)
    assert after.race.first == ONE
    assert "first" not in told


def test_a_null_for_a_trick_won_for_nothing() -> None:
    after, told = ending((0, 0, 0, 0, 0, 6), THREE)
    assert after.race.nulls == (0, 1)
    assert (told["null"], told["null_for"]) == (2, "won for nothing")


def test_no_null_for_a_trick_that_bore_one_off_or_when_none_is_left() -> None:
    after, told = ending(THREE, THREE)
    assert after.race.nulls == (0, 0)
    assert "null" not in told
    after, told = ending((0, 0, 0, 0, 0, 6), THREE, nulls=(2, 1))
    assert after.race.nulls == (2, 1)
    assert "null" not in told


def follow_with(track: Track, lead: str, card: str, *pile: str, trick: int = 1) -> tuple[Position, dict[str, Any]]:
    """Follow with seat 2, whose track is given, and a pile that begins as wanted."""
    position = after_moves(1)
    position = replace(
        position,
        race=Race(trick, (THREE, track), first=ONE if any(track) else TWO),
        trick=Trick(ONE, "follow", TWO, ONE, lead=Hidden(lead, frozenset({ONE}))),
        hands=(position.hands[0], Hidden((card, "7D"), frozenset({TWO}))),
        pile=Hidden((*pile, "2H", "3H")),
    )
    after = GAME.apply(position, TWO, Move(card), Chance(EXAMPLE))
    told: list[Any] = GAME.log(after, Eye.PUBLIC)
    return after, told[-1]


def test_under_pressure_the_loser_takes_a_null() -> None:
    after, told = follow_with(EMPTY, "3S", "4C")
    assert after.race.nulls == (1, 0)
    assert (told["null"], told["null_for"]) == (1, "under pressure")
    assert GAME.to_move(after) == (TWO,)


def test_the_extra_card_is_drawn_even_if_it_is_no_use() -> None:
    after, told = follow_with(EMPTY, "3S", "4S", "6S")
    assert (told["extra"], told["extra_to_use"]) == ("6S", [6, 6, 6, 6])
    assert (after.phase, after.played) == ("lead", ("3S", "4S", "6S"))
    assert after.pile.value == ("2H", "3H")


def test_spend_is_left_out_with_nothing_to_use_and_extra_is_not() -> None:
    after, told = follow_with(THREE, "KD", "KH", "AC")
    assert told["to_use"] == []
    assert (after.phase, after.to_use, GAME.to_move(after)) == ("extra", (1,), (TWO,))


def test_one_seat_acts_at_a_time() -> None:
    walk = list(positions(0))
    assert [GAME.stage(before) for before, *_ in walk] == list(range(1, 17))
    for before, seat, move, _, _ in walk:
        other = TWO if seat == ONE else ONE
        assert GAME.to_move(before) == (seat,)
        assert not GAME.allows(before, other, move)
        assert list(GAME.moves(before, other)) == []
    assert GAME.to_move(walk[-1][3]) == ()
    assert GAME.stage(walk[-1][3]) == 17


def test_nothing_to_use_at_all_is_a_trick_won_for_nothing() -> None:
    after, told = follow_with(THREE, "KD", "KH", "KC")
    assert (told["extra_to_use"], told["null"]) == ([], 2)
    assert after.phase == "lead"


def test_the_round_ends_after_six_tricks_or_with_both_tracks_empty() -> None:
    after, told = ending((1, 0, 0, 0, 0, 0), EMPTY, first=ONE, nulls=(0, 1))
    assert after.phase == "over"
    assert (told["points"], told["pips_left"], told["scores"]) == ([9, 5], [0, 0], [9, 5])
    after, told = ending((0, 0, 0, 0, 0, 6), THREE, trick=6)
    assert (told["points"], told["pips_left"]) == ([3, -1], [6, 35])


@pytest.mark.parametrize(
    ("scores", "pips", "winners"),
    [
        ((5, 4), (9, 0), (1,)),
        ((4, 5), (0, 9), (2,)),
        ((5, 5), (1, 2), (1,)),
        ((5, 5), (2, 1), (2,)),
        ((5, 5), (2, 2), (1, 2)),
    ],
)
def test_equal_scores_are_decided_by_pips_left(
    scores: tuple[int, int], pips: tuple[int, int], winners: tuple[int, ...]
) -> None:
    end = after_moves(16)
    end = replace(end, score=replace(end.score, scores=scores, pips=pips))
    assert GAME.outcome(end) == Outcome(scores, tuple(map(Seat, winners)))


# -- What each seat may see --------------------------------------------------------------------------------


def everything_shown(position: Position, viewer: Viewer) -> str:
    """Join all that a viewer may be shown of a position into one text."""
    view = GAME.view(position, viewer)
    shown = [view.to_move, view.moves, view.board, view.log, str(view.outcome)]
    for seat in (ONE, TWO):
        if viewer is Eye.OPEN or viewer == seat:
            shown += [GAME.steps(position, seat, ()), GAME.suggest(position, seat)]
            for text in ("KS", "6-5", "2-off", "1-offx2", "nothing"):
                try:
                    shown.append(GAME.read(position, seat, text))
                except (InvalidMove, IllegalMove) as wrong:
                    shown.append(str(wrong))
    return json.dumps(shown, sort_keys=True)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_viewer_can_tell_an_exchanged_position(viewer: Viewer) -> None:
    changed = 0
    for ply, (before, *_) in enumerate(positions(1)):
        other = GAME.exchange(before, viewer, bytes([ply]) * 32)
        assert other == GAME.exchange(before, viewer, bytes([ply]) * 32)
        assert everything_shown(before, viewer) == everything_shown(other, viewer)
        assert sorted(GAME.board(other, Eye.OPEN)["played"]) == sorted(before.played)  # type: ignore[arg-type, type-var]
        changed += other != before
    assert changed == (0 if viewer is Eye.OPEN else 58)


def test_an_exchange_keeps_every_count_and_every_card() -> None:
    before = after_moves(1)
    for viewer in VIEWERS:
        after = GAME.exchange(before, viewer, EXAMPLE)
        assert before.trick.lead is not None
        assert after.trick.lead is not None
        assert [len(hand.value) for hand in after.hands] == [5, 6]
        everywhere = [*after.hands[0].value, *after.hands[1].value, *after.pile.value, after.trick.lead.value]
        assert sorted(everywhere) == sorted(HAND_ORDER)
        assert (after.trick.lead == before.trick.lead) == (viewer in {ONE, Eye.OPEN})


def test_the_lead_is_seen_by_its_leader_alone_until_it_is_followed() -> None:
    position = after_moves(1)
    for viewer, card in ((ONE, "3S"), (TWO, None), (Eye.PUBLIC, None), (Eye.OPEN, "3S")):
        board, log = GAME.board(position, viewer), GAME.log(position, viewer)
        assert (board["led"], board["lead_lies"]) == (card, True)
        assert log == [{"seat": 1, "move": card, "phase": "lead", "round": 1, "trick": 1}]
    position = after_moves(2)
    for viewer in VIEWERS:
        board = GAME.board(position, viewer)
        assert (board["led"], board["lead_lies"], board["followed"], board["winner"]) == ("3S", False, "QS", 2)
        told: list[Any] = GAME.log(position, viewer)
        assert [entry["move"] for entry in told] == ["3S", "QS"]


def test_a_hand_is_seen_by_its_own_seat_alone() -> None:
    position = after_moves(1)
    one, two = (list(hand.value) for hand in position.hands)
    assert [GAME.board(position, viewer)["hand"] for viewer in VIEWERS] == [one, two, None, None]
    assert GAME.board(position, Eye.OPEN)["hands"] == [one, two]
    for viewer in VIEWERS[:3]:
        assert "hands" not in GAME.board(position, viewer)
        assert GAME.board(position, viewer)["hand_sizes"] == [5, 6]
        assert GAME.board(position, viewer)["pile"] == 40
    assert GAME.view(position, TWO).moves == tuple(two)
    assert GAME.view(position, ONE).moves == ()


def test_what_the_board_says_in_the_extra_phase() -> None:
    board = GAME.board(after_moves(3), Eye.PUBLIC)
    assert board == json.loads(json.dumps(board))
    assert (board["phase"], board["extra"], board["to_use"], board["pile"]) == ("extra", "6H", [6] * 4, 39)


def test_what_reveals_something() -> None:
    for number in (0, 1):
        for before, _, move, after, _ in positions(number):
            drawn = len(after.pile.value) < len(before.pile.value)
            dealt = after.score.round > before.score.round
            assert GAME.reveals(before, move, after) == (before.phase == "follow" or drawn or dealt)


def test_who_is_not_to_move_hears_only_that() -> None:
    with pytest.raises(IllegalMove, match=r"^It is not your turn\.$"):
        GAME.read(after_moves(1), ONE, "8C")
    with pytest.raises(IllegalMove, match=r"^The match is over\.$"):
        GAME.read(after_moves(16), ONE, "8C")


# -- suggestions -------------------------------------------------------------------------------------------


def test_suggestions_are_legal_and_for_the_mover_alone() -> None:
    for before, seat, _, _, _ in positions(1):
        likely = GAME.suggest(before, seat)
        assert len(likely) == min(3, len(list(GAME.moves(before, seat))))
        assert all(GAME.allows(before, seat, move) for move in likely)
        assert GAME.suggest(before, TWO if seat == ONE else ONE) == ()


def test_suggested_spendings_bear_off() -> None:
    assert GAME.suggest(spending((0, 0, 1, 0, 0, 1), (3,)), TWO)[0] == "3-off"
