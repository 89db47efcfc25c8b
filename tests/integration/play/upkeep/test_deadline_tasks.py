"""Time: what the clock does at a match, claimed by ticks, and never twice, early or unjustly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from emails.parsing.reader import parse_mail
from pbem.db.models import ClockPause, Deadline, Heartbeat, LogEntry, OutboxMessage, Player, SeatHolder, Submission
from pbem.play.core.context import transaction
from pbem.play.deadlines.turn_deadlines import CLOCK_DELAY
from pbem.play.matches.match_state import lock_match
from pbem.play.upkeep import deadline_tasks, outages
from pbem.states import MatchState, SubmissionStatus
from tests.support.clockwork import act, at, tick
from tests.support.house import NAMES
from tests.support.play.deadlines.turn_deadlines import begun
from tests.support.play.upkeep.deadline_tasks import AWAKE, due, events, running

if TYPE_CHECKING:
    from tests.support.house import House

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)


def test_time_runs_out_half_a_minute_after_the_deadline_and_no_sooner(house: House) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    end = due(house)
    assert tick(house, end) == 0
    assert tick(house, end + CLOCK_DELAY - SECOND) == 0
    assert house.match(match_id).state == MatchState.RUNNING
    assert tick(house, end + CLOCK_DELAY) == 1
    assert events(house) == [("timed_out", seat)]
    match = house.match(match_id)
    assert match.result == {"scores": None, "winners": [3 - seat], "ending": "timed_out"}
    assert "The match is over on time." in house.last("Ann").flat
    assert tick(house, end + DAY) == 0


def together(house: House, on_time: str) -> str:
    """Begin a match in which all three act together, for the second time, between people who do not sleep."""
    match_id = begun(house, "middle-card", 3, "3 days", {"swap": False})
    with house.transaction() as ctx:
        lock_match(ctx, match_id).timeout_policy = on_time
        ctx.session.execute(update(Player).values(AWAKE))
    for seat in (1, 2, 3):
        house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    assert house.match(match_id).to_move == [1, 2, 3]
    return match_id


@pytest.mark.parametrize(("moved", "winners"), [([2], [2]), ([1, 3], [1, 3]), ([], [])])
def test_all_who_let_the_same_deadline_pass_lose_together(house: House, moved: list[int], winners: list[int]) -> None:
    match_id = together(house, "loss")
    for seat in moved:
        house.reply(house.last(NAMES[seat - 1]), house.legal(match_id, seat)[0])
    out = [seat for seat in (1, 2, 3) if seat not in moved]
    tick(house, max(house.all(select(Deadline.due_at))) + CLOCK_DELAY)
    assert house.match(match_id).result == {"scores": None, "winners": winners, "ending": "timed_out"}
    assert events(house) == [("timed_out", seat) for seat in out]
    assert (
        sorted(
            house.all(select(SeatHolder.seat).where(SeatHolder.leave_reason == "timed out", SeatHolder.late_moves == 1))
        )
        == out
    )
    assert "The match is over on time." in house.last("Ann").flat


def test_all_who_let_the_same_deadline_pass_have_a_day_more(house: House) -> None:
    together(house, "vote")
    end = max(house.all(select(Deadline.due_at)))
    tick(house, end + CLOCK_DELAY)
    assert house.all(select(Deadline.phase_ends_at)) == [end + DAY] * 3
    assert events(house) == []


def test_of_those_who_are_late_together_whoever_has_days_left_takes_some(house: House) -> None:
    match_id = together(house, "loss")
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.seat == 1)).one()
        holder.player.auto_vacation = True
    tick(house, max(house.all(select(Deadline.due_at))) + CLOCK_DELAY)
    assert events(house) == [("timed_out", 2), ("timed_out", 3)]
    assert house.match(match_id).result == {"scores": None, "winners": [1], "ending": "timed_out"}


def test_what_was_received_by_the_deadline_counts_whenever_it_is_judged(house: House) -> None:
    match_id = running(house)
    (seat,) = house.match(match_id).to_move
    end, move = due(house), house.legal(match_id, seat)[0]
    with house.transaction(end - SECOND) as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.seat == seat)).one()
        ctx.session.add(
            Submission(
                id="late but in time",
                match_id=match_id,
                holder_id=holder.id,
                ply=house.match(match_id).ply,
                via="link",
                text=move,
                claimed_ply=house.match(match_id).ply,
                idempotency_key=b"once",
                received_at=end - SECOND,
            )
        )
    tick(house, end + 5 * DAY)
    assert house.match(match_id).to_move == [3 - seat]
    assert events(house) == []
    assert house.all(select(LogEntry.logged_at).order_by(LogEntry.number.desc()).limit(1)) == [end - SECOND]


def test_a_match_without_a_single_move_is_void(house: House) -> None:
    match_id = running(house, moves=0)
    tick(house, due(house) + CLOCK_DELAY)
    assert events(house) == [("aborted", None)]
    match = house.match(match_id)
    assert match.result == {"scores": None, "winners": [], "ending": "aborted"}


def test_whoever_is_not_to_lose_on_time_has_a_day_more_and_the_table_is_told(house: House) -> None:
    match_id = running(house, "vote")
    (seat,) = house.match(match_id).to_move
    late, other = NAMES[seat - 1], NAMES[2 - seat]
    for name in (late, other):
        house.mails(name)
    end = due(house)
    tick(house, end + CLOCK_DELAY)
    assert events(house) == []
    assert house.all(select(Deadline.phase_ends_at)) == [end + DAY]
    assert len(house.mails(late)) == len(house.mails(other)) == 1
    tick(house, end + HOUR)
    assert house.mails(late) == house.mails(other) == []
    mail = next(mail for mail in reversed(house.every_mail) if mail.name == late)
    with at(end + HOUR):
        house.reply(mail, house.legal(match_id, seat)[0])
    assert house.match(match_id).to_move == [3 - seat]
    assert house.all(select(SeatHolder.late_moves).where(SeatHolder.seat == seat)) == [1]


def test_two_claims_at_once_never_take_the_same(house: House) -> None:
    for _ in range(3):
        running(house)
    late = datetime.now(UTC) + 9 * DAY
    with transaction(house.engine, house.config, late) as one, transaction(house.engine, house.config, late) as two:
        found = deadline_tasks.claim(one, 2), deadline_tasks.claim(two, 2)
    assert found == (2, 1)
    with house.transaction(late) as ctx:
        # What was claimed is left to whoever claimed it, for a while.
        assert deadline_tasks.claim(ctx) == 0
    with house.transaction(late + deadline_tasks.LEASE_TIME) as ctx:
        assert deadline_tasks.claim(ctx) == 3


def test_a_deadline_acts_once_whoever_acts_on_it(house: House) -> None:
    match_id = running(house, "vote")
    end = due(house) + CLOCK_DELAY
    for _ in range(3):
        tick(house, end)
        with house.transaction(end) as ctx:
            deadline_tasks.run_match(ctx, match_id, parse_mail)
    assert [row[0] for row in house.rows(select(OutboxMessage.kind).where(OutboxMessage.kind == "late"))] == [
        "late",
        "late",
    ]
    assert sum(house.all(select(SeatHolder.late_moves))) == 1


def test_while_the_service_slept_no_time_was_spent(house: House) -> None:
    running(house)
    end = due(house)
    tick(house, end - DAY)
    # It wakes after two days: the deadline passed meanwhile.
    act(house, end + DAY)
    assert house.all(select(ClockPause.reason)) == ["outage"]
    assert due(house) == end + 2 * DAY
    tick(house, end + 2 * DAY)
    assert events(house) == []
    tick(house, end + 2 * DAY + CLOCK_DELAY)
    assert [event for event, _ in events(house)] == ["timed_out"]


def test_a_backup_of_last_week_costs_nobody_a_move(house: House) -> None:
    running(house)
    end = due(house)
    with house.transaction() as ctx:
        ctx.session.merge(Heartbeat(part=outages.CLOCK_HEARTBEAT, seen_at=end - 2 * DAY))
    act(house, end + 7 * DAY)
    assert events(house) == []
    assert due(house) == end + 9 * DAY


def test_a_clock_that_is_set_back_acts_on_nothing_twice_and_loses_nothing(house: House) -> None:
    running(house, "vote")
    end = due(house) + CLOCK_DELAY
    tick(house, end)
    act(house, end - HOUR)
    assert sum(house.all(select(SeatHolder.late_moves))) == 1
    assert house.all(select(ClockPause.reason)) == []
    act(house, end - HOUR + 5 * SECOND)
    tick(house, end + HOUR)
    assert sum(house.all(select(SeatHolder.late_moves))) == 1


def test_no_time_runs_out_while_something_waits_long_to_be_judged(house: House) -> None:
    match_id = running(house)
    other = running(house, moves=0)
    end = house.all(select(Deadline.due_at).where(Deadline.match_id == match_id))[0]
    with house.transaction() as ctx:
        holder = ctx.session.scalars(select(SeatHolder).where(SeatHolder.match_id == other)).first()
        assert holder
        waits = {
            "id": "waits",
            "match_id": other,
            "holder_id": holder.id,
            "ply": 1,
            "via": "link",
            "idempotency_key": b"waits",
        }
        ctx.session.add(Submission(**waits, attempts=1, received_at=end - HOUR, text="x"))
    with house.transaction(end + CLOCK_DELAY) as ctx:
        ctx.session.merge(Heartbeat(part=outages.CLOCK_HEARTBEAT, seen_at=ctx.now))
        assert deadline_tasks.claim(ctx)
    with house.transaction(end + CLOCK_DELAY) as ctx:
        deadline_tasks.run_match(ctx, match_id, parse_mail)
    assert house.match(match_id).state == MatchState.RUNNING
    with house.transaction() as ctx:
        ctx.session.execute(update(Submission).values(status=SubmissionStatus.FAILED))
    tick(house, end + CLOCK_DELAY + deadline_tasks.LEASE_TIME)
    assert house.match(match_id).state == MatchState.OVER


def test_a_reminder_comes_once_when_a_quarter_of_the_time_is_left(house: House) -> None:
    match_id = running(house, reminders="once")
    (seat,) = house.match(match_id).to_move
    house.mails(NAMES[seat - 1])
    asked, end = house.rows(select(Deadline.asked_at, Deadline.due_at))[0]
    with house.transaction() as ctx:
        lock_match(ctx, match_id)
        row = ctx.session.scalars(select(Deadline)).one()
        row.next_action_at = asked
    quarter = end - (end - asked) / 4
    tick(house, quarter - SECOND)
    assert house.mails(NAMES[seat - 1]) == []
    tick(house, quarter)
    tick(house, quarter + HOUR)
    assert len(house.mails(NAMES[seat - 1])) == 1


@pytest.mark.parametrize("clock", ["relaxed"])
def test_a_bank_is_charged_with_what_a_move_took(house: House, clock: str) -> None:
    match_id = running(house, clock=clock, moves=2)
    banks = [place.bank_seconds for place in house.match_seats(match_id)]
    # Both moved at once: a day more than the two weeks that they began with.
    assert all(bank and timedelta(days=15) - timedelta(seconds=bank) < HOUR for bank in banks)
    (seat,) = house.match(match_id).to_move
    assert timedelta(days=14, hours=23) < due(house) - datetime.now(UTC) <= timedelta(days=15, hours=1)
    assert seat == 1
