"""Schedule of reminders of due moves, by the time left and by the hour that a player has chosen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import count, takewhile
from typing import TYPE_CHECKING

from pbem.play.clocks.calculation import (
    DAY,
    HOUR,
    ZERO,
    Availability,
    Interval,
    TimeControl,
    TurnStart,
    compute_due_time,
    skip_night,
    time_allowed,
    time_spent,
)
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.db.models import Player

NEVER, ONCE, DAILY = "never", "once", "daily"
"""How often a player wants to be reminded of one move."""
FREQUENCIES = (NEVER, ONCE, DAILY)
TIME_PARTS = 4
"""A reminder is sent when one of this many parts of the time is left, and not before one has passed."""
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ReminderPreferences:
    """Reminder preferences of a player: how often, and at which local hour, if they chose one."""

    frequency: str = ONCE
    hour: int | None = None


@dataclass(frozen=True, slots=True)
class PendingMove:
    """A pending move: its time control, its player's availability, the pauses of their clock, and when it is due.

    `last` is when they were last reminded of it.
    """

    settings: TimeControl
    life: Availability
    turn: TurnStart
    pauses: Sequence[Interval]
    due: datetime
    last_reminder_at: datetime | None = None


def preferences_of(player: Player) -> ReminderPreferences:
    """Return a player's reminder preferences; a robot is never reminded."""
    return ReminderPreferences(NEVER if player.is_robot else player.reminders, player.reminder_hour)


def next_reminder(pending: PendingMove, preferences: ReminderPreferences, now: datetime) -> datetime | None:
    """Return when a player is next reminded of a move, or None if no reminder is left.

    ONCE means when the last part of their time begins, and again only if they got a day more since, or come back from a
    rest of a day or more. No reminder is sent at night, while their clock is stopped, or in the last hour.
    """
    schedule = {ONCE: _once, DAILY: _daily}.get(preferences.frequency)
    moments = schedule(pending, preferences) if schedule else ()
    found = (moment if moment > now else _next_suitable(pending, now) for moment in moments)
    return next((moment for moment in found if moment), None)


def _once(pending: PendingMove, preferences: ReminderPreferences) -> Iterator[datetime]:
    """Yield when the last part of the time begins, and when a player already reminded of that returns from a rest."""
    begun = _last_part_begin(pending)
    rests = [stop.end for stop in pending.pauses if stop.end and stop.end - stop.begin >= DAY]
    returns = sorted(skip_night(end, pending.life) for end in rests if begun < end < pending.due)
    for anchor in (begun, *returns):
        if pending.last_reminder_at is None or anchor >= pending.last_reminder_at + DAY:
            found = _nearest_suitable(pending, preferences, anchor)
            if found and (pending.last_reminder_at is None or found > pending.last_reminder_at + DAY / 2):
                yield found


def _daily(pending: PendingMove, preferences: ReminderPreferences) -> Iterator[datetime]:
    """Yield one time each day, at the hour of a single reminder."""
    first = _nearest_suitable(pending, preferences, _last_part_begin(pending))
    if first is None:
        return
    last = pending.last_reminder_at
    for moment in _suitable_times(pending, first.astimezone(load_zone(pending.life.zone)).time()):
        if last is None or moment > last + DAY / 2:
            yield moment


def _nearest_suitable(pending: PendingMove, preferences: ReminderPreferences, anchor: datetime) -> datetime | None:
    """Return the suitable time for a reminder nearest to an anchor, at the player's hour if they chose one."""
    if preferences.hour is not None and (theirs := _suitable_times(pending, time(preferences.hour))):
        return next((moment for moment in theirs if moment >= anchor), theirs[-1])
    if _is_suitable(pending, anchor):
        return anchor
    if pending.life.quiet_hours:
        # The deadline is in the morning, so the last hour of an evening before it remains.
        evenings = _suitable_times(pending, time((pending.life.quiet_hours[0] - 1) % 24))
        return evenings[-1] if evenings else None
    return None


def _last_part_begin(pending: PendingMove) -> datetime:
    """Return when all but the last part of the time has been spent, moved to the morning if that is at night."""
    most = TimeControl(
        per_move=_total_time(pending) * (TIME_PARTS - 1) / TIME_PARTS, weekends_free=pending.settings.weekends_free
    )
    found = compute_due_time(most, pending.life, TurnStart(pending.turn.started_at), pending.pauses).due
    return pending.due if found is None else min(found, pending.due)


def _total_time(pending: PendingMove) -> timedelta:
    return time_allowed(pending.settings, pending.turn) or ZERO


def _suitable_times(pending: PendingMove, hour: time) -> list[datetime]:
    """List the days of a turn on which a reminder may be sent at an hour."""
    zone = load_zone(pending.life.zone)
    first = pending.turn.started_at.astimezone(zone).date()
    moments = (datetime.combine(first + DAY * day, hour, zone).astimezone(UTC) for day in count())
    turn = takewhile(lambda moment: moment < pending.due, moments)
    return [moment for moment in turn if _is_suitable(pending, moment)]


def _is_suitable(pending: PendingMove, moment: datetime) -> bool:
    """Return whether a reminder may be sent then: neither soon after the turn began nor in the last hour."""
    if not pending.turn.started_at < moment <= pending.due - HOUR:
        return False
    used = time_spent(pending.settings, pending.life, pending.turn.started_at, moment, pending.pauses)
    return used >= _total_time(pending) / TIME_PARTS and _is_undisturbing(pending, moment)


def _is_undisturbing(pending: PendingMove, moment: datetime) -> bool:
    runs = time_spent(pending.settings, pending.life, moment, moment + _MINUTE, pending.pauses) > ZERO
    return runs and skip_night(moment, pending.life) == moment


def _next_suitable(pending: PendingMove, now: datetime) -> datetime | None:
    """Return the next suitable time for a reminder that was due earlier."""
    moment = now
    while moment < pending.due:
        if _is_undisturbing(pending, moment):
            return moment
        ends = [stop.end for stop in pending.pauses if stop.end and stop.begin <= moment < stop.end]
        moment = max(ends, default=moment + HOUR)
    return None
