"""Computation of deadlines, as a pure function of a match's events and a player's availability.

Time is spent only while a player could have moved: not while the match is paused, while they are on vacation, while
the service or their mail was down, nor on weekends that the match keeps free. A deadline is rounded up to a full hour,
which is easy to remember, and moved from the player's night to their morning. A pause that begins before the announced
deadline moves it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from pbem.states import PauseReason
from pbem.time_format import zone_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from zoneinfo import ZoneInfo

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOTHING = timedelta()
SATURDAY = 5


@dataclass(frozen=True, slots=True)
class Span:
    """Interval in which a clock is stopped; open-ended if `end` is None."""

    begin: datetime
    end: datetime | None
    why: PauseReason


@dataclass(frozen=True, slots=True)
class Settings:
    """Time control of a match: a fixed time for each move, or a bank that every move adds to, or neither.

    A bank begins with `bank`, gains `increment` with each move and never holds more than `cap`.
    """

    per_move: timedelta | None = None
    bank: timedelta | None = None
    increment: timedelta = NOTHING
    cap: timedelta | None = None
    weekends_free: bool = False

    @property
    def runs(self) -> bool:
        """Whether there are deadlines at all."""
        return self.per_move is not None or self.bank is not None


LONGEST_NIGHT = 12
"""Maximum hours of a night; with more, a clock of one day per move would allow two."""


@dataclass(frozen=True, slots=True)
class Life:
    """Availability of a player: their time zone, and the hours of the night in which no deadline falls."""

    zone: str = "UTC"
    quiet: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Start of a turn: when the seat was asked to move, what its bank held then, and extra time for this move."""

    at: datetime
    left: timedelta | None = None
    extra: timedelta = NOTHING


@dataclass(frozen=True, slots=True)
class Line:
    """One step of a deadline's computation, for the explanation: what happened, and the deadline after it.

    `what` is `asked`, `extra`, the value of a PauseReason, `night` or `hour`.
    """

    what: str
    time: timedelta
    until: datetime


@dataclass(frozen=True, slots=True)
class Reckoning:
    """When a move is due, with every step of the computation; `due` is None while the clock is stopped for good."""

    due: datetime | None
    lines: tuple[Line, ...] = ()


def reckon(settings: Settings, life: Life, asked: Asked, stops: Iterable[Span]) -> Reckoning:
    """Compute when a seat's move is due; `stops` are the intervals in which that seat's clock is stopped."""
    whole = allowed(settings, asked)
    if whole is None:
        return Reckoning(None)
    lines = [Line("asked", whole - asked.extra, asked.at + whole - asked.extra)]
    if asked.extra:
        lines.append(Line("extra", asked.extra, asked.at + whole))
    moment = asked.at + whole
    put_off = _put_off(moment, life)
    for begin, end, why in _merged(_standing(settings, life, asked.at, tuple(stops))):
        told = _last(put_off, moment)
        if begin >= told:
            break
        if begin >= moment:
            # The player counted on the announced deadline, so a pause before it moves that one.
            lines += put_off
            moment = told
        if end is None:
            return Reckoning(None, tuple(lines))
        stood = end - max(begin, asked.at)
        if stood > NOTHING:
            moment += stood
            lines.append(Line(why.value, stood, moment))
        put_off = _put_off(moment, life)
    return Reckoning(_last(put_off, moment), (*lines, *put_off))


def allowed(settings: Settings, asked: Asked) -> timedelta | None:
    """Return the total time that a seat has for a move, or None if it is unlimited."""
    if settings.bank is None:
        return None if settings.per_move is None else settings.per_move + asked.extra
    return (settings.bank if asked.left is None else asked.left) + asked.extra


def banked(settings: Settings, left: timedelta | None, used: timedelta) -> timedelta | None:
    """Return what a bank holds after a move that used some of it, or None if there is no bank."""
    if settings.bank is None:
        return None
    after = max((settings.bank if left is None else left) - used, NOTHING) + settings.increment
    return after if settings.cap is None else min(after, settings.cap)


def spent(settings: Settings, life: Life, asked: datetime, moved: datetime, stops: Iterable[Span]) -> timedelta:
    """Return how much of its time a seat spent between being asked and moving."""
    stood = NOTHING
    for begin, end, _why in _merged(_standing(settings, life, asked, tuple(stops), moved)):
        overlap = min(end or moved, moved) - max(begin, asked)
        stood += max(overlap, NOTHING)
    return max(moved - asked - stood, NOTHING)


def _put_off(moment: datetime, life: Life) -> list[Line]:
    """Return the steps that move a deadline to a full hour, and from the night to the morning."""
    full = _full_hour(moment, life)
    morning = after_the_night(full, life)
    steps = Line("hour", full - moment, full), Line("night", morning - full, morning)
    return [step for step in steps if step.time]


def _last(lines: Sequence[Line], moment: datetime) -> datetime:
    return lines[-1].until if lines else moment


def _standing(
    settings: Settings, life: Life, asked: datetime, stops: Sequence[Span], until: datetime | None = None
) -> Iterable[Span]:
    """Yield the intervals in which a clock is stopped after a moment, free weekends included, by their begin."""
    known = sorted((span for span in stops if span.end is None or span.end > asked), key=lambda span: span.begin)
    if not settings.weekends_free:
        yield from known
        return
    weekends = _weekends(life, asked, until or max([asked, *(s.end or s.begin for s in known)]) + _FAR)
    rest = iter(known)
    waiting = next(rest, None)
    for weekend in weekends:
        while waiting and waiting.begin <= weekend.begin:
            yield waiting
            waiting = next(rest, None)
        yield weekend
    if waiting:
        yield waiting
    yield from rest


_FAR = timedelta(days=400)
"""How far ahead weekends are computed: no clock allows as much for one move."""


def _weekends(life: Life, after: datetime, until: datetime) -> Iterable[Span]:
    """Yield the weekends of a time zone, from midnight to midnight there, however long those days are."""
    zone = zone_of(life.zone)
    today = after.astimezone(zone).date()
    saturday = today - timedelta(days=(today.weekday() - SATURDAY) % 7)
    while True:
        begin, end = (_midnight(saturday + timedelta(days), zone) for days in (0, 2))
        if begin >= until:
            return
        yield Span(begin, end, PauseReason.WEEKEND)
        saturday += timedelta(days=7)


def _merged(spans: Iterable[Span]) -> Iterable[tuple[datetime, datetime | None, PauseReason]]:
    """Yield intervals without overlaps, so that no moment counts twice; the one that began first keeps its reason."""
    reached: datetime | None = None
    for span in spans:
        begin = span.begin if reached is None else max(span.begin, reached)
        if span.end is not None and span.end <= begin:
            continue
        yield begin, span.end, span.why
        if span.end is None:
            return
        reached = span.end


def night(begin: int, end: int) -> tuple[int, int] | None:
    """Return the hours of a night, cut to its maximum length, or None if it has none."""
    length = min((end - begin) % 24, LONGEST_NIGHT)
    return (begin, (begin + length) % 24) if length else None


def after_the_night(moment: datetime, life: Life) -> datetime:
    """Return a moment, moved to the morning if it falls into the player's night."""
    if life.quiet is None or life.quiet[0] == life.quiet[1]:
        return moment
    begin, end = life.quiet
    zone = zone_of(life.zone)
    there = moment.astimezone(zone)
    minutes = there.hour * 60 + there.minute
    night = begin * 60 <= minutes < end * 60 if begin < end else not end * 60 <= minutes < begin * 60
    if not night:
        return moment
    day = there.date() + (timedelta(days=1) if begin > end and there.hour >= begin else NOTHING)
    morning = datetime.combine(day, time(end), zone).astimezone(UTC)
    return max(morning, moment)


def _full_hour(moment: datetime, life: Life) -> datetime:
    """Round a moment up to a full hour of local time, which may be half past elsewhere."""
    zone = zone_of(life.zone)
    for _change_of_the_clocks in range(2):
        there = moment.astimezone(zone)
        passed = timedelta(minutes=there.minute, seconds=there.second, microseconds=there.microsecond)
        moment += HOUR - passed if passed else NOTHING
    return moment


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
