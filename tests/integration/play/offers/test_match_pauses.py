"""A break and more time, as the table agrees on them by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import ClockPause, Deadline, Offer, SeatHolder
from pbem.play.offers import match_pauses, time_extensions
from pbem.states import DeadlinePhase, MatchState
from tests.support.house import NAMES, House
from tests.support.play.lifecycle.agreements import DAY, acts, begun, lead, moves, newest, says

if TYPE_CHECKING:
    from typing import Any


def due(house: House, seat: int) -> Any:
    return house.all(select(Deadline.due_at).where(Deadline.seat == seat))[0]


# -- a break ---------------------------------------------------------------------------------------


def test_a_break_puts_deadlines_off_and_anybody_ends_it(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    mover = house.match(match_id).to_move[0]
    before = due(house, mover)
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    for name in ("Ann", "Bob"):
        told = lead(newest(house, name))
        assert told.startswith("Everybody agreed to pause the clocks. The clocks of this match are stopped, ")
        assert "reply “resume”" in told
    assert due(house, mover) - before == match_pauses.MAX_DURATION
    (already,) = says(house, "Ann", "pause")
    assert "The clocks of this match are already stopped." in already.flat
    says(house, "Bob", "resume")
    assert lead(newest(house, "Ann")).startswith("Bob has resumed the clocks of this match.")
    assert due(house, mover) - before < DAY
    (running,) = says(house, "Bob", "fortsetzen")
    assert "The clocks of this match are not stopped." in running.flat
    assert [row[:3] for row in acts(house)] == [("paused", None, "table"), ("resumed", None, "seat 2")]
    assert len(house.all(select(ClockPause))) == 1


def test_in_a_break_moves_are_welcome(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    moves(house, match_id)
    assert house.match(match_id).next_ply == 2


def test_without_deadlines_there_is_nothing_to_stop_nor_to_give(house: House) -> None:
    begun(house, "martian-whist", 2)
    for word, sentence in (("pause", "so there is nothing to stop"), ("more time", "Take your time")):
        (answer,) = says(house, "Ann", word)
        assert sentence in answer.flat
    assert acts(house) == []


def test_a_break_stops_the_time_of_grace_too(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    with house.transaction() as ctx:
        late = {"phase": DeadlinePhase.GRACE, "phase_started_at": ctx.now, "phase_ends_at": ctx.now + DAY}
        ctx.session.execute(update(Deadline).values(late))
    ends = house.all(select(Deadline.phase_ends_at))[0]
    says(house, "Ann", "pause")
    says(house, "Bob", "pause")
    assert house.all(select(Deadline.phase_ends_at)) == [ends + match_pauses.MAX_DURATION]
    says(house, "Ann", "resume")
    assert house.all(select(Deadline.phase_ends_at))[0] - ends < DAY
    assert house.match(match_id).state == MatchState.RUNNING


# -- more time -------------------------------------------------------------------------------------


def mover_and_other(house: House, match_id: str) -> tuple[int, str, str]:
    seat = house.match(match_id).to_move[0]
    return seat, NAMES[seat - 1], NAMES[2 - seat]


def test_more_time_is_asked_for_and_agreed_to(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    before = due(house, seat)
    says(house, mover, "more time 4 days")
    assert lead(newest(house, other)).startswith(f"{mover} asks for four more days for their move.")
    says(house, other, "mehr Zeit")
    assert due(house, seat) - before == 4 * DAY
    assert acts(house) == [("extended", seat, "table", {"seat": seat, "hours": 96})]
    assert lead(newest(house, mover)).startswith("You have four more days for your move.")
    assert lead(newest(house, other)).startswith(f"{mover} has four more days for their move.")


def test_whoever_waits_may_give_a_day_once(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    before = due(house, seat)
    says(house, other, "more time")
    assert lead(newest(house, mover)).startswith(f"{other} gives you one more day for your move.")
    assert due(house, seat) - before == DAY
    assert acts(house) == [("extended", seat, f"seat {3 - seat}", {"seat": seat, "hours": 24})]
    (enough,) = says(house, other, "more time")
    assert "You already gave a day for this move." in enough.flat
    assert due(house, seat) - before == DAY
    moves(house, match_id)
    says(house, mover, "more time")
    assert len(acts(house)) == 2


def test_all_who_are_waited_for_are_given_a_day_but_for_those_who_cannot_have_more(house: House) -> None:
    match_id = begun(house, "middle-card", 3, "3 days", {"swap": False})
    says(house, "Ann", house.legal(match_id, 1)[0])
    with house.transaction() as ctx:
        ctx.session.execute(
            update(Deadline).where(Deadline.seat == 2).values(extra_seconds=time_extensions.MAX_TOTAL_DAYS * 24 * 3600)
        )
    says(house, "Ann", "more time")
    assert acts(house) == [("extended", 3, "seat 1", {"seat": 3, "hours": 24})]
    with house.transaction() as ctx:
        ctx.session.execute(update(Deadline).values(extra_seconds=time_extensions.MAX_TOTAL_DAYS * 24 * 3600))
    (enough,) = says(house, "Ann", "more time")
    assert "This move already has 14 extra days" in enough.flat


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("more time 8 days", "You can ask for one to 7 days at a time."),
        ("more time 0", "You can ask for one to 7 days at a time."),
        ("more time until Easter", "Add the number of days, such as “more time 4 days”."),
    ],
)
def test_what_cannot_be_given_is_refused_with_a_sentence(house: House, typed: str, sentence: str) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    _, mover, _ = mover_and_other(house, match_id)
    (answer,) = says(house, mover, typed)
    assert sentence in answer.flat
    assert house.all(select(Offer)) == []


def test_no_more_than_two_weeks_come_on_top_for_one_move(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    _, mover, other = mover_and_other(house, match_id)
    for _ in range(2):
        says(house, mover, "more time 6")
        assert "asks for six more days" in newest(house, other).flat
        says(house, other, "yes")
    (answer,) = says(house, mover, "more time 3 days please")
    assert "Add the number of days" in answer.flat
    (answer,) = says(house, mover, "more time 3 tage")
    assert "A move can get at most 14 extra days; two are left." in answer.flat
    says(house, mover, "more time, please")
    says(house, other, "yes")
    assert set(house.all(select(Deadline.extra_seconds))) == {14 * 24 * 3600}
    (answer,) = says(house, other, "more time")
    assert "This move already has 14 extra days" in answer.flat


def test_who_is_late_has_time_again_but_not_who_is_gone(house: House) -> None:
    match_id = begun(house, "martian-whist", 2, "3 days")
    seat, mover, other = mover_and_other(house, match_id)
    with house.transaction() as ctx:
        late = {"phase": DeadlinePhase.GRACE, "phase_started_at": ctx.now, "phase_ends_at": ctx.now + DAY}
        ctx.session.execute(update(Deadline).values(late))
        ctx.session.execute(update(SeatHolder).where(SeatHolder.seat == seat).values(late_moves=1))
    says(house, other, "more time")
    assert house.rows(select(Deadline.phase, Deadline.phase_ends_at)) == [(DeadlinePhase.RUNNING, None)]
    assert house.all(select(SeatHolder.late_moves)) == [0, 0]
    with house.transaction() as ctx:
        late |= {"phase_started_at": ctx.now - 2 * DAY, "phase_ends_at": ctx.now - DAY}
        ctx.session.execute(update(Deadline).values(late))
    (answer,) = says(house, mover, "more time")
    assert "The deadline and the day after it have passed." in answer.flat


def test_in_a_match_for_one_nobody_gives_or_stops_anything(house: House) -> None:
    match_id = begun(house, "minimax", 1)
    for word in ("draw", "pause", "more time", "abandon", "resume"):
        answer = says(house, "Ann", word)[-1]
        assert "is not possible now" in answer.flat
    assert house.match(match_id).log_length == 0
