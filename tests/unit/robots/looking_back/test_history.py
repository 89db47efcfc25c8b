"""What looking back reads from a record: the moves in force, who made them, and what chance drew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.robots import Identity, Level
from pbem.robots.identity import event_detail, record_name
from pbem.robots.looking_back.history import read
from tests.support.games.small_record import acted, finished, played, sealed
from tests.support.games.suggested_match import suggested

if TYPE_CHECKING:
    from pbem.games.chain import Entry
    from pbem.games.record import Record

ROBOT = Identity(Level.FAIR, 1)
WHIST = "martian-whist"


def whist(*log: Entry) -> Record:
    return sealed("resigned", [*log, acted("resigned", 1, "seat 1")], {"sets": 2}, WHIST)


def test_moves_that_were_taken_back_are_left_out() -> None:
    taken = acted("taken_back", detail={"from": 2})
    history = read(whist(played(1, 1, "take 1"), played(2, 2, "take 2"), taken, played(3, 2, "take 3")))
    assert [(made.ply, made.move) for made in history.moves] == [(1, "take 1"), (3, "take 3")]
    assert history.moves[1].before == history.moves[0].after


def test_moves_of_robots_are_no_choices_of_people() -> None:
    record = whist(played(1, 1, "take 1"), played(2, 2, "take 2"))
    history = read(replace(record, seats=("Ann", record_name("Ada", ROBOT))))
    assert [made.ply for made in history.choices] == [1]


def test_who_made_a_move_is_who_held_the_seat_then() -> None:
    taken_over = acted("substituted", 2, detail={**event_detail(ROBOT)})
    log = (played(1, 1, "take 1"), played(2, 2, "take 2"), taken_over, played(3, 1, "take 3"), played(4, 2, "take 4"))
    history = read(replace(whist(*log), seats=("Ann", record_name("Ada", ROBOT))))
    assert [made.ply for made in history.choices] == [1, 2, 3]


def test_sealed_moves_are_judged_from_the_begin_of_their_stage() -> None:
    history = read(suggested("amazonian-buffet"))
    first, second = history.moves[-2:]
    assert first.begun == second.begun == first.before != second.before


def test_each_deal_is_a_draw() -> None:
    history = read(suggested("martian-trickery", {"hands": 2}))
    hand = len(history.moves) // 2
    assert history.draws[:2] == (0, hand)


def test_another_draw_leaves_what_was_drawn_before() -> None:
    history = read(suggested("martian-trickery", {"hands": 2}))
    at = history.draws[1]
    redrawn = [history.redraw(at, bytes([number]) * 32) for number in range(2)]
    assert redrawn[0].tricks == redrawn[1].tricks == history.positions[at].tricks
    assert redrawn[0].hands != redrawn[1].hands != history.positions[at].hands
    assert history.redraw(0, bytes(32)) != history.dealt


def test_a_game_of_open_moves_draws_only_its_deal() -> None:
    assert read(suggested(WHIST)).draws == (0,)


@pytest.mark.parametrize("record", [
    sealed("resigned", [acted("resigned", 1, "seat 1")], {"sets": 2}, WHIST),
    replace(whist(played(1, 1, "take 1")), result={"ending": "finished"}),
    replace(whist(played(1, 1, "take 1")), result={}),
    replace(whist(played(1, 1, "take 1")), edition=99),
    finished(),
], ids=["nobody moved", "it runs", "it has no end", "another edition", "no robot"])  # fmt: skip
def test_there_is_nothing_to_look_back_on(record: Record) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(record)
