"""People as they are: they sleep, work, travel, forget, vanish, and some come back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.time_format import load_zone

if TYPE_CHECKING:
    from random import Random

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ZONES = (
    "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "America/Sao_Paulo",
    "Asia/Kolkata", "Asia/Tokyo", "Asia/Kathmandu", "Australia/Sydney", "Australia/Lord_Howe", "Pacific/Auckland",
)  # fmt: skip
FAR = datetime(2100, 1, 1, tzinfo=UTC)
QUICK, SLOW = (2.0, 8.0), (20.0, 60.0)
"""Between so many hours, a quick player's and a slow one's answers usually take."""
FORGETS = 0.06
"""Of so many mails nothing comes, until another one does."""


@dataclass(frozen=True, slots=True)
class Away:
    """A time in which somebody reads no mail; `told` is when they say so to the service, if they do."""

    begin: datetime
    end: datetime
    told: datetime | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays: when they are awake in their zone, how many hours an answer takes, when they are gone."""

    name: str
    email: str
    zone: str
    up: int
    bed: int
    pace: float
    writes: bool
    gone: tuple[Away, ...]

    def answers_at(self, now: datetime, chosen: Random) -> datetime | None:
        """Return when they answer a mail that they get now; None where they never do."""
        if chosen.random() < FORGETS:
            return None
        moment = now + self.pace * HOUR * chosen.lognormvariate(0, 0.6)
        for away in self.gone:
            if away.begin <= moment < away.end:
                moment = away.end + chosen.uniform(0, 6) * HOUR
        there = moment.astimezone(load_zone(self.zone))
        if not self.up <= there.hour < self.bed:
            morning = there.replace(hour=self.up, minute=0, second=0, microsecond=0)
            morning += DAY if there.hour >= self.bed else timedelta()
            moment = morning.astimezone(UTC) + chosen.uniform(0, 2) * HOUR
        return moment if moment < FAR else None

    def is_there(self, now: datetime) -> bool:
        """Return whether they read their mail on this day."""
        return not any(away.begin <= now < away.end for away in self.gone)


def people(count: int, begin: datetime, chosen: Random) -> list[Person]:
    """Create some people: most reliable, some slow, some who travel with a word or without, some who vanish."""
    return [_person(number, begin, chosen) for number in range(count)]


def later_on(person: Person, now: datetime, chosen: Random) -> Person:
    """Return somebody some months later, with the times ahead in which they are gone: those known, and new ones."""
    known = tuple(away for away in person.gone if away.end > now)
    return replace(person, gone=(*known, *_absences(now, chosen)))


def _person(number: int, begin: datetime, chosen: Random) -> Person:
    gone = _absences(begin, chosen)
    pace = chosen.uniform(*(SLOW if chosen.random() < 0.2 else QUICK))  # noqa: PLR2004
    up = chosen.randint(5, 9)
    return Person(
        f"Person {number}", f"person{number}@example.org", chosen.choice(ZONES), up, up + chosen.randint(13, 16),
        pace, chosen.random() < 0.5, gone,  # noqa: PLR2004
    )  # fmt: skip


def _absences(begin: datetime, chosen: Random) -> tuple[Away, ...]:
    """Draw when somebody is gone in the four months after a moment."""
    kind = chosen.random()
    start = begin + chosen.uniform(2, 120) * DAY
    if kind < 0.06:  # noqa: PLR2004 -- shares of people
        return (Away(start, FAR),)
    if kind < 0.12:  # noqa: PLR2004
        return (Away(start, start + chosen.uniform(8, 40) * DAY),)
    if kind < 0.30:  # noqa: PLR2004
        days = chosen.randint(4, 16)
        return (Away(start, start + days * DAY, told=start - chosen.uniform(0.2, 3) * DAY),)
    return ()
