"""Reminders: by share of the time left, by the player's own hour and frequency; never at night, never too late."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pbem.play.clocks.calculation import (
    DAY,
    HOUR,
    Availability,
    Interval,
    TimeControl,
    TurnStart,
    compute_due_time,
    skip_night,
    time_spent,
)
from pbem.play.deadlines.reminder_schedule import (
    DAILY,
    FREQUENCIES,
    NEVER,
    ONCE,
    PendingMove,
    ReminderPreferences,
    next_reminder,
)
from pbem.states import PauseReason
from pbem.time_format import load_zone
from tests.support.play.clocks.calculation import ANY_TIME, LIVES, STOPS, at

if TYPE_CHECKING:
    from collections.abc import Sequence

THREE_DAYS = TimeControl(per_move=3 * DAY)
SLEEPER = Availability("Europe/Berlin", (22, 8))
MONDAY = "2026-11-23T12:00"
MANY = 1000
"""More reminders of one move than there ever are."""


def asking(
    settings: TimeControl, life: Availability, asked: TurnStart, stops: Sequence[Interval], last: datetime | None = None
) -> PendingMove | None:
    found = compute_due_time(settings, life, asked, stops).due
    return PendingMove(settings, life, asked, stops, found, last) if found else None


def all_reminders(
    settings: TimeControl,
    wish: ReminderPreferences,
    life: Availability,
    asked: TurnStart,
    stops: Sequence[Interval] = (),
    late: timedelta = timedelta(),
) -> list[datetime]:
    """List when somebody is reminded who never moves, by a clock that looks some time after each moment is due."""
    found: list[datetime] = []
    now, last = asked.started_at, None
    while len(found) < MANY:
        case = asking(settings, life, asked, stops, last)
        moment = next_reminder(case, wish, now) if case else None
        if moment is None:
            return found
        if moment > now:
            # The clock looks again when it is due, or somewhat later.
            now = moment + late
            continue
        found.append(now)
        last = now
    raise AssertionError(found[:5])


def told(
    settings: TimeControl, wish: ReminderPreferences, asked: str, *stops: Interval, life: Availability = SLEEPER
) -> list[str]:
    found = all_reminders(settings, wish, life, TurnStart(at(asked)), stops)
    return [moment.astimezone(load_zone(life.zone)).strftime("%a %H:%M") for moment in found]


def test_somebody_is_reminded_once_when_a_quarter_of_their_time_is_left() -> None:
    # Asked at one in Berlin on Monday, due at one on Thursday.
    assert told(THREE_DAYS, ReminderPreferences(ONCE), MONDAY) == ["Wed 19:00"]
    assert told(THREE_DAYS, ReminderPreferences(ONCE), "2026-11-23T16:00") == ["Thu 08:00"]


def test_whoever_wants_none_gets_none() -> None:
    assert told(THREE_DAYS, ReminderPreferences(NEVER), MONDAY) == []


def test_somebody_has_an_hour_for_it() -> None:
    assert told(THREE_DAYS, ReminderPreferences(ONCE, 20), MONDAY) == ["Wed 20:00"]
    # At nine on Thursday there is still time; at two there is none, so it is the day before.
    assert told(THREE_DAYS, ReminderPreferences(ONCE, 9), MONDAY) == ["Thu 09:00"]
    assert told(THREE_DAYS, ReminderPreferences(ONCE, 14), MONDAY) == ["Wed 14:00"]
    # An hour of the night is none.
    assert told(THREE_DAYS, ReminderPreferences(ONCE, 3), MONDAY) == ["Wed 19:00"]


def test_every_day_is_every_day_from_the_first_to_the_last() -> None:
    assert told(THREE_DAYS, ReminderPreferences(DAILY), MONDAY) == ["Tue 19:00", "Wed 19:00"]
    assert told(THREE_DAYS, ReminderPreferences(DAILY, 9), MONDAY) == ["Tue 09:00", "Wed 09:00", "Thu 09:00"]


def test_a_deadline_in_the_morning_is_said_in_the_evening_before() -> None:
    assert told(TimeControl(per_move=DAY), ReminderPreferences(ONCE), "2026-11-23T07:00") == ["Mon 21:00"]
    # Asked in the evening for the next morning, nobody need be told again.
    assert told(TimeControl(per_move=HOUR * 12), ReminderPreferences(ONCE), "2026-11-23T18:30") == []
    assert (
        told(
            TimeControl(per_move=HOUR * 12),
            ReminderPreferences(ONCE),
            "2026-11-23T18:30",
            life=Availability("Europe/Berlin"),
        )
        != []
    )


def test_a_short_time_is_reminded_of_only_where_there_is_a_moment_for_it() -> None:
    assert told(TimeControl(per_move=HOUR), ReminderPreferences(ONCE), MONDAY) == []
    assert told(TimeControl(per_move=HOUR), ReminderPreferences(DAILY), MONDAY) == []
    assert told(TimeControl(per_move=HOUR), ReminderPreferences(ONCE), MONDAY, life=Availability("Europe/Berlin")) == []


def test_nobody_is_reminded_while_they_are_away_and_whoever_comes_back_is_once_more() -> None:
    away = Interval(at("2026-11-24T00:00"), at("2026-12-08T00:00"), PauseReason.AWAY)
    assert told(THREE_DAYS, ReminderPreferences(ONCE), MONDAY, away) == ["Wed 19:00"]
    found = all_reminders(THREE_DAYS, ReminderPreferences(ONCE), SLEEPER, TurnStart(at(MONDAY)), [away])
    assert found == [at("2026-12-09T18:00")]
    later = Interval(at("2026-11-26T00:00"), at("2026-12-08T00:00"), PauseReason.AWAY)
    found = all_reminders(THREE_DAYS, ReminderPreferences(ONCE), SLEEPER, TurnStart(at(MONDAY)), [later])
    # Before they left, and on the morning of their return.
    assert found == [at("2026-11-25T18:00"), at("2026-12-08T07:00")]
    assert told(THREE_DAYS, ReminderPreferences(DAILY), MONDAY, later) == ["Tue 19:00", "Wed 19:00"]


def test_whoever_was_given_days_after_they_were_reminded_is_reminded_again() -> None:
    last = at("2026-11-25T18:00")
    more = asking(THREE_DAYS, SLEEPER, TurnStart(at(MONDAY), extra=2 * DAY), (), last)
    assert more
    assert next_reminder(more, ReminderPreferences(ONCE), last) == at("2026-11-27T07:00")
    hour = asking(THREE_DAYS, SLEEPER, TurnStart(at(MONDAY), extra=4 * HOUR), (), last)
    assert hour
    assert next_reminder(hour, ReminderPreferences(ONCE), last) is None


def test_a_clock_that_slept_reminds_in_the_morning_and_not_at_night() -> None:
    case = asking(THREE_DAYS, SLEEPER, TurnStart(at(MONDAY)), ())
    assert case
    assert next_reminder(case, ReminderPreferences(ONCE), at("2026-11-26T01:00")) == at("2026-11-26T07:00")
    assert next_reminder(case, ReminderPreferences(ONCE), case.due) is None


WISHES = st.builds(ReminderPreferences, st.sampled_from(FREQUENCIES), st.one_of(st.none(), st.integers(0, 23)))
LATE = st.sampled_from([timedelta(), timedelta(seconds=5), 7 * HOUR])


@given(
    life=LIVES, asked=ANY_TIME, days=st.integers(1, 15), extra=st.integers(0, 3), stops=STOPS, free=st.booleans(),
    wish=WISHES, late=LATE,
)  # fmt: skip
def test_no_reminder_comes_unasked_at_night_in_a_rest_or_too_late(
    life: Availability,
    asked: datetime,
    days: int,
    extra: int,
    stops: list[Interval],
    wish: ReminderPreferences,
    late: timedelta,
    *,
    free: bool,
) -> None:
    settings, ask = TimeControl(per_move=days * DAY, weekends_free=free), TurnStart(asked, extra=extra * DAY)
    due = compute_due_time(settings, life, ask, stops).due
    assert due
    found = all_reminders(settings, wish, life, ask, stops, late)
    for moment in found:
        # A clock that looks late may look at night, but does not act then.
        assert asked < moment < due
        assert skip_night(moment, life) == moment
        assert time_spent(settings, life, moment, moment + timedelta(minutes=1), stops)
    rests = [stop for stop in stops if stop.end and stop.end - stop.begin >= DAY and asked < stop.end < due]
    most = {NEVER: 0, ONCE: 1 + len(rests), DAILY: (due - asked).days + 1}[wish.frequency]
    assert len(found) <= most
    assert all(later - earlier >= DAY / 2 for earlier, later in pairwise(found))
