"""The clock: spent while somebody could have moved, right in every zone, put off to mornings and full hours."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.play.clocks.calculation import (
    DAY,
    HOUR,
    ZERO,
    Availability,
    DueTime,
    Interval,
    TimeControl,
    TurnStart,
    bank_after_move,
    compute_due_time,
    limit_absences,
    quiet_hours,
    time_spent,
)
from pbem.states import PauseReason
from tests.support.play.clocks.calculation import ANY_TIME, LIVES, STOPS, at

if TYPE_CHECKING:
    from datetime import datetime, timedelta

THREE_DAYS = TimeControl(per_move=3 * DAY)
BANK = TimeControl(bank=10 * DAY, increment=DAY, cap=12 * DAY)


def due(settings: TimeControl, asked: str, life: Availability = Availability(), *stops: Interval) -> str:  # noqa: B008 -- Life is frozen
    found = compute_due_time(settings, life, TurnStart(at(asked)), stops).due
    assert found is not None
    return found.strftime("%Y-%m-%dT%H:%M")


def steps(reckoning: DueTime) -> list[tuple[str, timedelta]]:
    return [(line.kind, line.duration) for line in reckoning.steps]


def test_three_days_are_three_days_to_the_next_full_hour() -> None:
    assert due(THREE_DAYS, "2026-11-22T12:00") == "2026-11-25T12:00"
    assert due(THREE_DAYS, "2026-11-22T12:01") == "2026-11-25T13:00"


def test_without_a_clock_there_is_no_deadline() -> None:
    assert compute_due_time(TimeControl(), Availability(), TurnStart(at("2026-11-22T12:00")), []).due is None


def test_no_deadline_falls_into_the_night_of_whoever_is_to_move() -> None:
    sleeper = Availability("Europe/Berlin", (22, 8))
    # 23:30 in Berlin is 22:30 by UTC: put off to eight in the morning there.
    assert due(THREE_DAYS, "2026-11-22T22:30", sleeper) == "2026-11-26T07:00"
    assert due(THREE_DAYS, "2026-11-22T19:30", sleeper) == "2026-11-25T20:00"
    # The full hour after half past nine is ten, when the night begins.
    assert due(THREE_DAYS, "2026-11-22T20:30", sleeper) == "2026-11-26T07:00"
    assert due(THREE_DAYS, "2026-11-22T12:00", Availability("Europe/Berlin", (12, 15))) == "2026-11-25T14:00"


def test_a_night_that_was_kept_with_more_hours_has_twelve_of_them() -> None:
    assert [quiet_hours(*hours) for hours in ((22, 8), (20, 8), (0, 23), (5, 5), (18, 17))] == [
        (22, 8), (20, 8), (0, 12), None, (18, 6),
    ]  # fmt: skip


def test_eight_in_the_morning_is_that_also_when_the_clocks_have_changed_meanwhile() -> None:
    sleeper = Availability("Europe/Berlin", (22, 8))
    # Summer time begins on 29 March 2026.
    assert due(THREE_DAYS, "2026-03-25T23:00", sleeper) == "2026-03-29T06:00"
    assert due(THREE_DAYS, "2026-03-22T23:00", sleeper) == "2026-03-26T07:00"


def test_a_weekend_that_is_free_is_as_long_as_it_is_there() -> None:
    free = TimeControl(per_move=DAY, weekends_free=True)
    # Asked on Friday noon: half a day is left of Friday, the rest is Monday's.
    assert due(free, "2026-11-20T12:00") == "2026-11-23T12:00"
    # The weekend in which summer time begins has 47 hours.
    assert due(free, "2026-03-27T12:00", Availability("Europe/Berlin")) == "2026-03-30T11:00"
    assert due(free, "2026-11-21T12:00") == "2026-11-24T00:00"


def test_the_clock_stands_while_somebody_is_away_and_while_the_service_is_down() -> None:
    away = Interval(at("2026-11-23T00:00"), at("2026-11-30T00:00"), PauseReason.AWAY)
    outage = Interval(at("2026-11-29T00:00"), at("2026-12-01T00:00"), PauseReason.OUTAGE)
    assert due(THREE_DAYS, "2026-11-22T12:00", Availability(), away) == "2026-12-02T12:00"
    # What two stops share counts once.
    assert due(THREE_DAYS, "2026-11-22T12:00", Availability(), away, outage) == "2026-12-03T12:00"


def test_a_stop_without_an_end_leaves_no_deadline_until_it_ends() -> None:
    pause = Interval(at("2026-11-23T00:00"), None, PauseReason.PAUSED)
    assert compute_due_time(THREE_DAYS, Availability(), TurnStart(at("2026-11-22T12:00")), [pause]).due is None
    later = Interval(at("2026-12-23T00:00"), None, PauseReason.PAUSED)
    assert due(THREE_DAYS, "2026-11-22T12:00", Availability(), later) == "2026-11-25T12:00"


def test_every_step_of_a_deadline_can_be_told() -> None:
    away = Interval(at("2026-11-23T00:00"), at("2026-11-24T00:00"), PauseReason.AWAY)
    found = compute_due_time(THREE_DAYS, Availability("UTC", (22, 8)), TurnStart(at("2026-11-22T23:30")), [away])
    assert steps(found) == [("asked", 3 * DAY), ("away", DAY), ("hour", HOUR / 2), ("night", 8 * HOUR)]


EVENING, MORNING = at("2026-11-24T22:30"), at("2026-11-28T08:00")
"""When somebody is asked who has three days and sleeps until eight, and by when their move should come."""


@pytest.mark.parametrize(
    ("begin", "end", "why"),
    [
        ("2026-11-27T22:40", "2026-11-28T09:00", PauseReason.OUTAGE),
        ("2026-11-27T23:00", "2026-12-27T23:00", PauseReason.PAUSED),
        ("2026-11-28T00:00", "2026-12-03T00:00", PauseReason.AWAY),
        ("2026-11-28T07:59", "2026-11-29T07:59", PauseReason.UNREACHABLE),
    ],
)
def test_what_was_left_until_the_morning_is_left_again_after_a_stop(begin: str, end: str, why: PauseReason) -> None:
    sleeper, stop = Availability("UTC", (22, 8)), Interval(at(begin), at(end), why)
    assert compute_due_time(THREE_DAYS, sleeper, TurnStart(EVENING), []).due == MORNING
    found = compute_due_time(THREE_DAYS, sleeper, TurnStart(EVENING), [stop])
    assert found.due is not None
    assert found.due - at(end) >= MORNING - at(begin)
    assert steps(found)[:4] == [
        ("asked", 3 * DAY),
        ("hour", HOUR / 2),
        ("night", 9 * HOUR),
        (why.value, at(end) - at(begin)),
    ]
    assert found.steps[3].until == MORNING + (at(end) - at(begin))
    # A stop that begins with the deadline, or is behind it, is too late for it.
    assert (
        compute_due_time(THREE_DAYS, sleeper, TurnStart(EVENING), [Interval(MORNING, at(end) + DAY, why)]).due
        == MORNING
    )


def test_a_morning_of_a_free_weekend_is_one_of_monday() -> None:
    free = TimeControl(per_move=3 * DAY, weekends_free=True)
    assert due(free, "2026-11-24T22:30", Availability("UTC", (22, 8))) == "2026-11-30T08:00"


def test_stops_that_follow_each_other_before_the_morning_all_count() -> None:
    sleeper = Availability("UTC", (22, 8))
    outage = Interval(at("2026-11-27T23:00"), at("2026-11-28T01:00"), PauseReason.OUTAGE)
    away = Interval(at("2026-11-28T09:00"), at("2026-11-30T09:00"), PauseReason.AWAY)
    assert due(THREE_DAYS, "2026-11-24T22:30", sleeper, outage) == "2026-11-28T10:00"
    assert due(THREE_DAYS, "2026-11-24T22:30", sleeper, outage, away) == "2026-11-30T10:00"
    pause = Interval(at("2026-11-28T09:00"), None, PauseReason.PAUSED)
    assert compute_due_time(THREE_DAYS, sleeper, TurnStart(EVENING), [outage, pause]).due is None


def test_a_bank_loses_what_is_spent_gains_with_each_move_and_has_a_cap() -> None:
    assert bank_after_move(BANK, None, HOUR) == 11 * DAY - HOUR
    assert bank_after_move(BANK, 11 * DAY, HOUR) == 12 * DAY - HOUR
    assert bank_after_move(BANK, 12 * DAY, ZERO) == 12 * DAY
    assert bank_after_move(BANK, 2 * DAY, 9 * DAY) == DAY
    assert bank_after_move(THREE_DAYS, None, HOUR) is None
    assert bank_after_move(TimeControl(bank=DAY, increment=DAY), DAY, ZERO) == 2 * DAY
    found = compute_due_time(BANK, Availability(), TurnStart(at("2026-11-12T00:00"), 2 * DAY), [])
    assert found.due == at("2026-11-14T00:00")
    assert compute_due_time(BANK, Availability(), TurnStart(at("2026-11-12T00:00")), []).due == at("2026-11-22T00:00")


def test_what_was_given_on_top_for_one_move_puts_off_that_one() -> None:
    found = compute_due_time(THREE_DAYS, Availability(), TurnStart(at("2026-11-22T12:00"), extra=2 * DAY), [])
    assert found.due == at("2026-11-27T12:00")
    assert steps(found) == [("asked", 3 * DAY), ("extra", 2 * DAY)]


def test_a_full_hour_is_one_of_the_clocks_where_somebody_lives() -> None:
    assert due(THREE_DAYS, "2026-11-22T12:00", Availability("Asia/Kathmandu")) == "2026-11-25T12:15"
    assert due(THREE_DAYS, "2026-11-22T12:16", Availability("Asia/Kathmandu")) == "2026-11-25T13:15"


@given(life=LIVES, asked=ANY_TIME, days=st.integers(1, 15), stops=STOPS, free=st.booleans())
def test_whoever_moves_by_the_deadline_has_had_all_their_time(
    life: Availability, asked: datetime, days: int, stops: list[Interval], *, free: bool
) -> None:
    settings = TimeControl(per_move=days * DAY, weekends_free=free)
    found = compute_due_time(settings, life, TurnStart(asked), stops)
    assert found.due is not None
    used = time_spent(settings, life, asked, found.due, stops)
    put_off = sum((line.duration for line in found.steps if line.kind in {"night", "hour"}), ZERO)
    assert used == days * DAY + put_off
    stood = sum(line.kind not in {"asked", "night", "hour"} for line in found.steps)
    assert put_off < (1 + stood) * (DAY + HOUR)
    assert found.due == asked + sum((line.duration for line in found.steps), ZERO)
    there = found.due.astimezone(ZoneInfo(life.zone))
    assert (there.minute, there.second) == (0, 0)
    assert not life.quiet_hours or not is_night(there.hour, *life.quiet_hours)


def is_night(hour: int, begin: int, end: int) -> bool:
    return begin <= hour < end if begin < end else begin > end and (hour >= begin or hour < end)


def away(begin: int, end: int | None) -> Interval:
    """Return an absence between two days after noon."""
    noon = at("2026-11-22T12:00")
    return Interval(noon + begin * DAY, None if end is None else noon + end * DAY, PauseReason.AWAY)


@pytest.mark.parametrize(
    ("stops", "kept"),
    [
        ([away(0, 10)], [away(0, 10)]),
        ([away(0, 20)], [away(0, 14)]),
        ([away(12, 20), away(0, 10)], [away(0, 10), away(12, 16)]),
        ([away(0, 14), away(20, 30)], [away(0, 14)]),
        ([away(-10, 3), away(5, 30)], [away(0, 3), away(5, 16)]),
        ([away(-10, -3), away(5, 9)], [away(5, 9)]),
        ([away(2, None)], [away(2, 16)]),
    ],
)
def test_limited_absences_stop_a_clock_for_so_long_in_all(stops: list[Interval], kept: list[Interval]) -> None:
    assert limit_absences(stops, at("2026-11-22T12:00"), 14 * DAY) == tuple(kept)


def test_other_reasons_are_not_limited_with_absences() -> None:
    noon = at("2026-11-22T12:00")
    pause = Interval(noon, noon + 30 * DAY, PauseReason.PAUSED)
    assert limit_absences([pause, away(0, 20)], noon, 14 * DAY) == (pause, away(0, 14))


@given(STOPS, ANY_TIME)
def test_no_limit_of_absences_adds_to_them(stops: list[Interval], since: datetime) -> None:
    kept = limit_absences(stops, since, 14 * DAY)
    lengths = [stop.end - stop.begin for stop in kept if stop.reason is PauseReason.AWAY and stop.end]
    assert sum(lengths, ZERO) <= 14 * DAY
    assert all(length > ZERO for length in lengths)
