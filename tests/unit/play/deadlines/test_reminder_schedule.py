"""Reminders: by share of the time left, by the player's own hour and frequency; never at night, never too late."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pbem.play.clocks.calculation import DAY, HOUR, Asked, Life, Settings, Span, after_the_night, reckon, spent
from pbem.play.deadlines.reminder_schedule import DAILY, NEVER, OFTEN, ONCE, Asking, Wish, next_at
from pbem.states import PauseReason
from pbem.time_format import zone_of
from tests.support.play.clocks.calculation import ANY_TIME, LIVES, STOPS, at

if TYPE_CHECKING:
    from collections.abc import Sequence

THREE_DAYS = Settings(per_move=3 * DAY)
SLEEPER = Life("Europe/Berlin", (22, 8))
MONDAY = "2026-11-23T12:00"
MANY = 1000
"""More reminders of one move than there ever are."""


def asking(
    settings: Settings, life: Life, asked: Asked, stops: Sequence[Span], last: datetime | None = None
) -> Asking | None:
    found = reckon(settings, life, asked, stops).due
    return Asking(settings, life, asked, stops, found, last) if found else None


def all_reminders(
    settings: Settings, wish: Wish, life: Life, asked: Asked, stops: Sequence[Span] = (), late: timedelta = timedelta()
) -> list[datetime]:
    """List when somebody is reminded who never moves, by a clock that looks some time after each moment is due."""
    found: list[datetime] = []
    now, last = asked.at, None
    while len(found) < MANY:
        case = asking(settings, life, asked, stops, last)
        moment = next_at(case, wish, now) if case else None
        if moment is None:
            return found
        if moment > now:
            # The clock looks again when it is due, or somewhat later.
            now = moment + late
            continue
        found.append(now)
        last = now
    raise AssertionError(found[:5])


def told(settings: Settings, wish: Wish, asked: str, *stops: Span, life: Life = SLEEPER) -> list[str]:
    found = all_reminders(settings, wish, life, Asked(at(asked)), stops)
    return [moment.astimezone(zone_of(life.zone)).strftime("%a %H:%M") for moment in found]


def test_somebody_is_reminded_once_when_a_quarter_of_their_time_is_left() -> None:
    # Asked at one in Berlin on Monday, due at one on Thursday.
    assert told(THREE_DAYS, Wish(ONCE), MONDAY) == ["Wed 19:00"]
    assert told(THREE_DAYS, Wish(ONCE), "2026-11-23T16:00") == ["Thu 08:00"]


def test_whoever_wants_none_gets_none() -> None:
    assert told(THREE_DAYS, Wish(NEVER), MONDAY) == []


def test_somebody_has_an_hour_for_it() -> None:
    assert told(THREE_DAYS, Wish(ONCE, 20), MONDAY) == ["Wed 20:00"]
    # At nine on Thursday there is still time; at two there is none, so it is the day before.
    assert told(THREE_DAYS, Wish(ONCE, 9), MONDAY) == ["Thu 09:00"]
    assert told(THREE_DAYS, Wish(ONCE, 14), MONDAY) == ["Wed 14:00"]
    # An hour of the night is none.
    assert told(THREE_DAYS, Wish(ONCE, 3), MONDAY) == ["Wed 19:00"]


def test_every_day_is_every_day_from_the_first_to_the_last() -> None:
    assert told(THREE_DAYS, Wish(DAILY), MONDAY) == ["Tue 19:00", "Wed 19:00"]
    assert told(THREE_DAYS, Wish(DAILY, 9), MONDAY) == ["Tue 09:00", "Wed 09:00", "Thu 09:00"]


def test_a_deadline_in_the_morning_is_said_in_the_evening_before() -> None:
    assert told(Settings(per_move=DAY), Wish(ONCE), "2026-11-23T07:00") == ["Mon 21:00"]
    # Asked in the evening for the next morning, nobody need be told again.
    assert told(Settings(per_move=HOUR * 12), Wish(ONCE), "2026-11-23T18:30") == []
    assert told(Settings(per_move=HOUR * 12), Wish(ONCE), "2026-11-23T18:30", life=Life("Europe/Berlin")) != []


def test_a_short_time_is_reminded_of_only_where_there_is_a_moment_for_it() -> None:
    assert told(Settings(per_move=HOUR), Wish(ONCE), MONDAY) == []
    assert told(Settings(per_move=HOUR), Wish(DAILY), MONDAY) == []
    assert told(Settings(per_move=HOUR), Wish(ONCE), MONDAY, life=Life("Europe/Berlin")) == []


def test_nobody_is_reminded_while_they_are_away_and_whoever_comes_back_is_once_more() -> None:
    away = Span(at("2026-11-24T00:00"), at("2026-12-08T00:00"), PauseReason.AWAY)
    assert told(THREE_DAYS, Wish(ONCE), MONDAY, away) == ["Wed 19:00"]
    found = all_reminders(THREE_DAYS, Wish(ONCE), SLEEPER, Asked(at(MONDAY)), [away])
    assert found == [at("2026-12-09T18:00")]
    later = Span(at("2026-11-26T00:00"), at("2026-12-08T00:00"), PauseReason.AWAY)
    found = all_reminders(THREE_DAYS, Wish(ONCE), SLEEPER, Asked(at(MONDAY)), [later])
    # Before they left, and on the morning of their return.
    assert found == [at("2026-11-25T18:00"), at("2026-12-08T07:00")]
    assert told(THREE_DAYS, Wish(DAILY), MONDAY, later) == ["Tue 19:00", "Wed 19:00"]


def test_whoever_was_given_days_after_they_were_reminded_is_reminded_again() -> None:
    last = at("2026-11-25T18:00")
    more = asking(THREE_DAYS, SLEEPER, Asked(at(MONDAY), extra=2 * DAY), (), last)
    assert more
    assert next_at(more, Wish(ONCE), last) == at("2026-11-27T07:00")
    hour = asking(THREE_DAYS, SLEEPER, Asked(at(MONDAY), extra=4 * HOUR), (), last)
    assert hour
    assert next_at(hour, Wish(ONCE), last) is None


def test_a_clock_that_slept_reminds_in_the_morning_and_not_at_night() -> None:
    case = asking(THREE_DAYS, SLEEPER, Asked(at(MONDAY)), ())
    assert case
    assert next_at(case, Wish(ONCE), at("2026-11-26T01:00")) == at("2026-11-26T07:00")
    assert next_at(case, Wish(ONCE), case.due) is None


WISHES = st.builds(Wish, st.sampled_from(OFTEN), st.one_of(st.none(), st.integers(0, 23)))
LATE = st.sampled_from([timedelta(), timedelta(seconds=5), 7 * HOUR])


@given(
    life=LIVES, asked=ANY_TIME, days=st.integers(1, 15), extra=st.integers(0, 3), stops=STOPS, free=st.booleans(),
    wish=WISHES, late=LATE,
)  # fmt: skip
def test_no_reminder_comes_unasked_at_night_in_a_rest_or_too_late(
    life: Life,
    asked: datetime,
    days: int,
    extra: int,
    stops: list[Span],
    wish: Wish,
    late: timedelta,
    *,
    free: bool,
) -> None:
    settings, ask = Settings(per_move=days * DAY, weekends_free=free), Asked(asked, extra=extra * DAY)
    due = reckon(settings, life, ask, stops).due
    assert due
    found = all_reminders(settings, wish, life, ask, stops, late)
    for moment in found:
        # A clock that looks late may look at night, but does not act then.
        assert asked < moment < due
        assert after_the_night(moment, life) == moment
        assert spent(settings, life, moment, moment + timedelta(minutes=1), stops)
    rests = [stop for stop in stops if stop.end and stop.end - stop.begin >= DAY and asked < stop.end < due]
    most = {NEVER: 0, ONCE: 1 + len(rests), DAILY: (due - asked).days + 1}[wish.often]
    assert len(found) <= most
    assert all(later - earlier >= DAY / 2 for earlier, later in pairwise(found))
