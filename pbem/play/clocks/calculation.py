"""Computation of deadlines, as a pure function of a match's events and a player's availability.

Time is spent only while a player could have moved: not while the match is paused, while they are on vacation, while
the service or their mail was down, nor on weekends that the match keeps free. A deadline is rounded up to a full hour,
which is easy to remember, and moved from the player's night to their morning. A pause that begins before the announced
deadline moves it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from heapq import merge
from typing import TYPE_CHECKING

from pbem.states import PauseReason
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from zoneinfo import ZoneInfo

HOUR, DAY, ZERO = timedelta(hours=1), timedelta(days=1), timedelta()
SATURDAY = 5
"""Number of the weekday, as `date.weekday` counts."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Interval in which a clock is stopped; open-ended if `end` is None."""

    begin: datetime
    end: datetime | None
    reason: PauseReason


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control of a match: a fixed time for each move, or a bank that every move adds to, or neither.

    A bank begins with `bank`, gains `increment` with each move and never holds more than `cap`. A player's own absences
    stop the clock for at most `max_away` in all, and breaks by agreement for at most `max_paused`; None is no limit.
    With `extra_within_cap` no move has more time than the cap, extensions included.
    """

    per_move: timedelta | None = None
    bank: timedelta | None = None
    increment: timedelta = ZERO
    cap: timedelta | None = None
    weekends_free: bool = False
    max_away: timedelta | None = None
    max_paused: timedelta | None = None
    extra_within_cap: bool = False

    @property
    def runs(self) -> bool:
        """Whether there are deadlines at all."""
        return self.per_move is not None or self.bank is not None


MAX_NIGHT_HOURS = 12
"""Maximum hours of a night; with more, a clock of one day per move would allow two."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Availability of a player: their time zone, and the hours of the night in which no deadline falls."""

    zone: str = "UTC"
    quiet_hours: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TurnStart:
    """Start of a turn: when it began, what its bank held then, and extra time for this move."""

    started_at: datetime
    bank: timedelta | None = None
    extra: timedelta = ZERO


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a deadline's computation, for the explanation: what happened, and the deadline after it.

    `kind` is `asked`, `extra`, the value of a PauseReason, `night` or `hour`.
    """

    kind: str
    duration: timedelta
    until: datetime


@dataclass(frozen=True, slots=True)
class DueTime:
    """When a move is due, with every step of the computation; `due` is None while the clock is stopped for good."""

    due: datetime | None
    steps: tuple[Step, ...] = ()


def compute_due_time(settings: TimeControl, life: Availability, turn: TurnStart, stops: Iterable[Interval]) -> DueTime:
    """Compute when a seat's move is due; `stops` are the intervals in which that seat's clock is stopped."""
    whole = time_allowed(settings, turn)
    if whole is None:
        return DueTime(None)
    moment = turn.started_at + whole
    steps = [Step("asked", whole - turn.extra, moment - turn.extra)]
    if turn.extra:
        steps.append(Step("extra", turn.extra, moment))
    postponed = _postponements(moment, life)
    for begin, end, why in _without_overlaps(_stopped_intervals(settings, life, turn.started_at, tuple(stops))):
        announced = postponed[-1].until if postponed else moment
        if begin >= announced:
            break
        if begin >= moment:
            # The player counted on the announced deadline, so a pause before it moves that one.
            steps += postponed
            moment = announced
        if end is None:
            return DueTime(None, tuple(steps))
        stopped = end - max(begin, turn.started_at)
        if stopped > ZERO:
            moment += stopped
            steps.append(Step(why.value, stopped, moment))
        postponed = _postponements(moment, life)
    steps += postponed
    return DueTime(steps[-1].until, tuple(steps))


def time_allowed(settings: TimeControl, turn: TurnStart) -> timedelta | None:
    """Return the total time that a seat has for a move, or None if it is unlimited."""
    if settings.bank is None:
        return None if settings.per_move is None else settings.per_move + turn.extra
    return (settings.bank if turn.bank is None else turn.bank) + turn.extra


def bank_after_move(settings: TimeControl, left: timedelta | None, used: timedelta) -> timedelta | None:
    """Return what a bank holds after a move that used some of it, or None if there is no bank."""
    if settings.bank is None:
        return None
    after = max((settings.bank if left is None else left) - used, ZERO) + settings.increment
    return after if settings.cap is None else min(after, settings.cap)


def time_spent(
    settings: TimeControl, life: Availability, since: datetime, moved: datetime, stops: Iterable[Interval]
) -> timedelta:
    """Return how much of its time a seat spent between the start of its turn and its move."""
    intervals = _without_overlaps(_stopped_intervals(settings, life, since, tuple(stops), moved))
    stopped = (min(end or moved, moved) - max(begin, since) for begin, end, _why in intervals)
    return max(moved - since - sum((max(time, ZERO) for time in stopped), ZERO), ZERO)


def limit_absences(stops: Iterable[Interval], since: datetime, most: timedelta) -> tuple[Interval, ...]:
    """Return intervals in order, with the absences among them cut once they have lasted for `most` since a moment."""
    left, kept = most, []
    for stop in sorted(stops, key=lambda span: span.begin):
        if stop.reason is not PauseReason.AWAY:
            kept.append(stop)
            continue
        begin = max(stop.begin, since)
        end = begin + left if stop.end is None else min(stop.end, begin + left)
        if end > begin:
            kept.append(Interval(begin, end, stop.reason))
            left -= end - begin
    return tuple(kept)


def _postponements(moment: datetime, life: Availability) -> list[Step]:
    """Return the steps that move a deadline to a full hour, and from the night to the morning."""
    full = _round_up_to_hour(moment, life)
    morning = skip_night(full, life)
    steps = Step("hour", full - moment, full), Step("night", morning - full, morning)
    return [step for step in steps if step.duration]


def _stopped_intervals(
    settings: TimeControl, life: Availability, since: datetime, stops: Sequence[Interval], until: datetime | None = None
) -> Iterable[Interval]:
    """Yield the intervals in which a clock is stopped after a moment, free weekends included, by their begin."""
    known = sorted((span for span in stops if span.end is None or span.end > since), key=lambda span: span.begin)
    if not settings.weekends_free:
        yield from known
        return
    weekends = _weekends(life, since, until or max([since, *(s.end or s.begin for s in known)]) + _WEEKEND_HORIZON)
    yield from merge(known, weekends, key=lambda span: span.begin)


_WEEKEND_HORIZON = timedelta(days=400)
"""How far ahead weekends are computed: no clock allows as much for one move."""


def _weekends(life: Availability, after: datetime, until: datetime) -> Iterable[Interval]:
    """Yield the weekends of a time zone, from midnight to midnight there, however long those days are."""
    zone = load_zone(life.zone)
    today = after.astimezone(zone).date()
    saturday = today - timedelta(days=(today.weekday() - SATURDAY) % 7)
    while True:
        begin, end = (_midnight(saturday + timedelta(days), zone) for days in (0, 2))
        if begin >= until:
            return
        yield Interval(begin, end, PauseReason.WEEKEND)
        saturday += timedelta(days=7)


def _without_overlaps(spans: Iterable[Interval]) -> Iterable[tuple[datetime, datetime | None, PauseReason]]:
    """Yield intervals without overlaps, so that no moment counts twice; the one that began first keeps its reason."""
    reached: datetime | None = None
    for span in spans:
        begin = span.begin if reached is None else max(span.begin, reached)
        if span.end is not None and span.end <= begin:
            continue
        yield begin, span.end, span.reason
        if span.end is None:
            return
        reached = span.end


def quiet_hours(begin: int, end: int) -> tuple[int, int] | None:
    """Return the hours of a night, cut to its maximum length, or None if it has none."""
    length = min((end - begin) % 24, MAX_NIGHT_HOURS)
    return (begin, (begin + length) % 24) if length else None


def skip_night(moment: datetime, life: Availability) -> datetime:
    """Return a moment, moved to the morning if it falls into the player's night."""
    if life.quiet_hours is None or life.quiet_hours[0] == life.quiet_hours[1]:
        return moment
    begin, end = life.quiet_hours
    zone = load_zone(life.zone)
    there = moment.astimezone(zone)
    minutes = there.hour * 60 + there.minute
    night = begin * 60 <= minutes < end * 60 if begin < end else not end * 60 <= minutes < begin * 60
    if not night:
        return moment
    day = there.date() + (timedelta(days=1) if begin > end and there.hour >= begin else ZERO)
    morning = datetime.combine(day, time(end), zone).astimezone(UTC)
    return max(morning, moment)


def _round_up_to_hour(moment: datetime, life: Availability) -> datetime:
    """Round a moment up to a full hour of local time, which may be half past elsewhere."""
    zone = load_zone(life.zone)
    for _change_of_the_clocks in range(2):
        there = moment.astimezone(zone)
        passed = timedelta(minutes=there.minute, seconds=there.second, microseconds=there.microsecond)
        moment += HOUR - passed if passed else ZERO
    return moment


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
