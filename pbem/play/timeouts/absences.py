"""Absences (vacations) and quiet hours of a player, during which their clocks stand still.

Each player has a number of days per calendar year of their own time zone. An absence counts from when it is announced;
a deadline that has passed stays passed. If a player announces nothing, a few days are taken automatically.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_

from pbem.db.models import ClockPause, Deadline, MoveTiming, Player, SeatHolder
from pbem.i18n import _, several
from pbem.play.clocks.calculation import DAY, MAX_NIGHT_HOURS
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.states import PauseReason
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.db.models import Match
    from pbem.play.clocks.date_ranges import DateRange
    from pbem.play.core.context import Context

MAX_DAYS_PER_YEAR = 30
"""Maximum days of absence per player and year: enough for holidays, and not too long for the other players."""
_YEARLY_ALLOWANCE = timedelta(days=MAX_DAYS_PER_YEAR)
MAX_LENGTH = timedelta(days=30)
"""Maximum length of an absence."""
MAX_LEAD_TIME = timedelta(days=365)
"""Maximum time ahead that an absence may be announced."""
AUTOMATIC_DAYS = 3
"""Maximum days taken automatically when a deadline would pass, once per deadline."""
MAX_AUTOMATIC_IN_A_ROW = 3
"""Maximum automatic absences without a move in between; a player silent for longer is not on holiday."""
ONE_MINUTE = timedelta(minutes=1)
TIME_TO_MOVE_AFTER_RETURN = DAY
"""Time to move for a player who comes back during an automatic absence."""


def set_quiet_hours(ctx: Context, player: Player, hours: tuple[int, int] | None) -> None:
    """Store the quiet hours of a player, in their time zone, in which no deadline falls; None removes them.

    Raises Refused if they are longer than `MAX_NIGHT_HOURS`.
    """
    if hours and (hours[1] - hours[0]) % 24 > MAX_NIGHT_HOURS:
        raise Refused(_("Nothing changed: your night can last at most {hours} hours.", hours=MAX_NIGHT_HOURS))
    player.quiet_from, player.quiet_until = hours or (0, 0)
    recheck_deadlines(ctx, player)


def recheck_deadlines(ctx: Context, player: Player) -> None:
    """Schedule a check of a player's deadlines, after their absences or quiet hours have changed."""
    ctx.session.flush()
    turn_deadlines.recompute_soon(ctx, turn_deadlines.belongs_to_player(player.id))


def start(ctx: Context, player: Player, days: DateRange) -> ClockPause:
    """Start an absence, merged with those it overlaps; raises Refused with a sentence if it is refused."""
    _lock_player(ctx, player)
    begin, end = _absence_interval(ctx, player, days)
    known = _list_absences(ctx, player, since=begin - MAX_LEAD_TIME)
    touching = [row for row in known if row.started_at <= end and row.ended_at and row.ended_at >= begin]
    begin = min([begin, *(row.started_at for row in touching)])
    end = max([end, *(row.ended_at for row in touching if row.ended_at)])
    if _local_time(end, player.time_zone) - _local_time(begin, player.time_zone) > MAX_LENGTH:
        raise _too_long_error()
    others = [row for row in known if row not in touching]
    for year in range(_local_time(begin, player.time_zone).year, _local_time(end, player.time_zone).year + 1):
        _check_days_left(player, others, (begin, end), year)
    for row in touching:
        ctx.session.delete(row)
    absence = _absence(player, begin, end)
    ctx.session.add(absence)
    recheck_deadlines(ctx, player)
    return absence


def end_current(ctx: Context, player: Player) -> ClockPause | None:
    """End the player's current absence, or else cancel the next one; return it, if any.

    An automatic absence ends in a day, so that there is time to move.
    """
    _lock_player(ctx, player)
    known = current_and_upcoming(ctx, player)
    return end_or_cancel(ctx, player, known[0].id) if known else None


def end_or_cancel(ctx: Context, player: Player, number: int) -> ClockPause | None:
    """End an absence now, or cancel it if it has not begun; return it, or None if there is none with this id."""
    _lock_player(ctx, player)
    absence = next((row for row in current_and_upcoming(ctx, player) if row.id == number), None)
    if absence is None:
        return None
    if absence.started_at >= ctx.now:
        ctx.session.delete(absence)
    else:
        until = ctx.now + TIME_TO_MOVE_AFTER_RETURN if absence.automatic else ctx.now
        absence.ended_at = min(absence.ended_at or until, until)
    recheck_deadlines(ctx, player)
    return absence


def current_and_upcoming(ctx: Context, player: Player) -> list[ClockPause]:
    """List the current and upcoming absences, in order of their beginning."""
    return [row for row in _list_absences(ctx, player, since=ctx.now) if row.ended_at and row.ended_at > ctx.now]


def days_left(ctx: Context, player: Player, year: int | None = None) -> int:
    """Return how many whole days of absence a player has left in a year of their zone, by default the present one."""
    year = year or current_year(ctx, player)
    away = _time_away(_intervals(_list_absences(ctx, player, year=year)), year, player.time_zone)
    return (_YEARLY_ALLOWANCE - away).days


def current_year(ctx: Context, player: Player) -> int:
    """Return the present year in a player's time zone."""
    return _local_time(ctx.now, player.time_zone).year


def start_automatically(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> bool:
    """Postpone a deadline that would pass by an automatic absence; return whether the deadline is postponed."""
    player = holder.player
    if player.is_robot or not player.auto_vacation or (match.next_ply == 1 and match.event_id is None):
        # A match without a move is aborted, unless it is one of an event: no days are spent on it.
        return False
    alone = select(Player.id).where(Player.id == player.id).with_for_update(key_share=True, skip_locked=True)
    if ctx.session.scalar(alone) is None:
        # Another transaction is counting their days; waiting for it could deadlock.
        row.next_action_at = ctx.now + ONE_MINUTE
        return True
    days = min(AUTOMATIC_DAYS, days_left(ctx, player))
    found = turn_deadlines.compute(ctx, match, holder, row)
    if days < 1 or found.due is None or _is_automatic_used_up(ctx, player, row.asked_at):
        return False
    # If the night or rounding to the full hour postponed it, the time itself ran out earlier.
    ran_out = next(line.until for line in reversed(found.steps) if line.kind not in {"night", "hour"})
    begin = ran_out - ONE_MINUTE
    ctx.session.add(_absence(player, begin, begin + days * DAY, automatic=True))
    ctx.session.flush()
    # Skip deadlines that other transactions have locked: waiting could deadlock, and they see the absence themselves.
    free = select(Deadline.match_id, Deadline.seat).where(turn_deadlines.belongs_to_player(player.id))
    waiting = ctx.session.execute(free.with_for_update(skip_locked=True)).all()
    turn_deadlines.recompute_soon(ctx, tuple_(Deadline.match_id, Deadline.seat).in_([tuple(each) for each in waiting]))
    turn_deadlines.update_times(ctx, match, holder, row)
    _notify_players(ctx, match, holder, row, days)
    return True


def _absence(player: Player, begin: datetime, end: datetime, *, automatic: bool = False) -> ClockPause:
    reason = PauseReason.AWAY.value
    return ClockPause(reason=reason, player_id=player.id, started_at=begin, ended_at=end, automatic=automatic)


def _is_automatic_used_up(ctx: Context, player: Player, asked: datetime) -> bool:
    """Return whether days were taken automatically for this deadline, or too often without a move in between."""
    theirs = ClockPause.player_id == player.id, ClockPause.automatic
    moved = select(func.max(MoveTiming.moved_at)).join(SeatHolder, MoveTiming.holder_id == SeatHolder.id)
    last = ctx.session.scalar(moved.where(SeatHolder.player_id == player.id))
    begins = ctx.session.scalars(select(ClockPause.started_at).where(*theirs)).all()
    running = [begin for begin in begins if last is None or begin > last]
    return len(running) >= MAX_AUTOMATIC_IN_A_ROW or any(begin >= asked for begin in begins)


def _notify_players(ctx: Context, match: Match, holder: SeatHolder, row: Deadline, days: int) -> None:
    """Enqueue a mail to the player that days were taken, and to the others that the match waits."""
    course = load_match(ctx, match)
    about = {"whom": holder.name, "days": days, "left": days_left(ctx, holder.player)}
    about["until"] = row.due_at.isoformat() if row.due_at else None
    for other in holders(ctx, match):
        kind = "vacation taken" if other.id == holder.id else "vacation"
        once = f"vacation {match.id} {holder.id} {other.id} {row.ply}"
        outbox.enqueue(ctx, kind, other, match, outbox.position_facts(ctx, course, other) | about, once=once)


def _absence_interval(ctx: Context, player: Player, days: DateRange) -> tuple[datetime, datetime]:
    """Return the beginning and end of an absence from days in the player's zone; raises Refused if not allowed."""
    today = _local_time(ctx.now, player.time_zone).date()
    first = days.first or today
    if first < today or (days.last and days.last < today):
        raise Refused(_("Nothing changed: an absence cannot be in the past."))
    if days.last and days.last < first:
        raise Refused(_("Nothing changed: the absence would end before it begins."))
    if first - today > MAX_LEAD_TIME:
        raise Refused(_("Nothing changed: an absence can begin at most a year ahead."))
    if days.last and days.last - first > MAX_LENGTH:
        raise _too_long_error()
    zone = load_zone(player.time_zone)
    begin = ctx.now if first == today else datetime.combine(first, time(), zone).astimezone(UTC)
    if days.last:
        return begin, datetime.combine(days.last + DAY, time(), zone).astimezone(UTC)
    end = _local_time(begin, player.time_zone) + timedelta(days=days.count)
    return begin, end.replace(tzinfo=zone).astimezone(UTC)


def _too_long_error() -> Refused:
    return Refused(
        several(
            "Nothing changed: an absence can last at most {count} day.",
            "Nothing changed: an absence can last at most {count} days.",
            MAX_LENGTH.days,
        )
    )


def _check_days_left(player: Player, others: Sequence[ClockPause], span: tuple[datetime, datetime], year: int) -> None:
    """Raise Refused if too few days are left in a year for an absence."""
    known = _intervals(others)
    if _time_away([*known, span], year, player.time_zone) > _YEARLY_ALLOWANCE:
        left = (_YEARLY_ALLOWANCE - _time_away(known, year, player.time_zone)).days
        raise Refused(
            several(
                "Nothing changed: you have only {count} day of absence left in {year}.",
                "Nothing changed: you have only {count} days of absence left in {year}.",
                left,
                year=year,
            )
        )


def _intervals(rows: Iterable[ClockPause]) -> list[tuple[datetime, datetime]]:
    return [(row.started_at, row.ended_at) for row in rows if row.ended_at]


def _time_away(spans: Iterable[tuple[datetime, datetime]], year: int, zone: str) -> timedelta:
    """Compute the time away in a year, in local time; overlaps count once."""
    reached, new_year = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 -- local time of a zone
    total = timedelta()
    for begin, end in sorted((_local_time(begin, zone), _local_time(end, zone)) for begin, end in spans):
        total += max(min(end, new_year) - max(begin, reached), timedelta())
        reached = max(reached, end)
    return total


def _list_absences(
    ctx: Context, player: Player, *, since: datetime | None = None, year: int | None = None
) -> list[ClockPause]:
    """List a player's absences that end after a moment, or after the beginning of a year of their zone."""
    beyond = since or datetime(year or 1, 1, 1, tzinfo=load_zone(player.time_zone))
    theirs = ClockPause.player_id == player.id, ClockPause.reason == PauseReason.AWAY.value
    absences = select(ClockPause).where(*theirs, ClockPause.ended_at > beyond)
    return list(ctx.session.scalars(absences.order_by(ClockPause.started_at, ClockPause.id)))


def _lock_player(ctx: Context, player: Player) -> None:
    """Lock the player's row, so that no other transaction counts their days at the same time."""
    ctx.session.execute(select(Player.id).where(Player.id == player.id).with_for_update(key_share=True))


def _local_time(moment: datetime, zone: str) -> datetime:
    """Return a moment as naive local time of a zone."""
    return moment.astimezone(load_zone(zone)).replace(tzinfo=None)
