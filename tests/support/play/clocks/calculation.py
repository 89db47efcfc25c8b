"""What tests of clock share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from pbem.play.clocks.calculation import Availability, Interval
from pbem.states import PauseReason

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


ANY_TIME = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)).map(lambda each: each.replace(tzinfo=UTC))  # noqa: DTZ001
LIVES = st.builds(
    Availability, st.sampled_from(ZONES), st.one_of(st.none(), st.tuples(st.integers(0, 23), st.integers(0, 23)))
)
STOPS = st.lists(
    st.builds(
        lambda begin, hours, why: Interval(begin, begin + timedelta(hours=hours), why),
        ANY_TIME,
        st.integers(1, 800),
        st.sampled_from(list(PauseReason)),
    ),
    max_size=6,
)
