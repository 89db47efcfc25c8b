"""Absences: the hours in which a player sleeps, and the days on which they are away, while their clocks stand still.

Everybody has so many days of them in a calendar year of their own zone. They count from when they are said, and a
deadline that has passed already stays passed. Where somebody says nothing, a few days are taken by themselves.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_

from pbem.db.models import Deadline, Holder, Player, Standstill, Turn
from pbem.i18n import _, several
from pbem.play.clocks.calculation import DAY, LONGEST_NIGHT
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import create
from pbem.play.matches.match_state import course_of
from pbem.play.notifications import outbox
from pbem.states import PauseReason
from pbem.time_format import zone_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.db.models import Match
    from pbem.play.clocks.date_ranges import Days
    from pbem.play.core.context import Context

DAYS_A_YEAR = 30
"""So many days a year a player may be away: enough for holidays, and others at the table see the end of the match."""
AT_MOST = timedelta(days=30)
"""So long after it begins an absence ends at the latest."""
AHEAD = timedelta(days=365)
"""So far ahead an absence may be said."""
BY_ITSELF = 3
"""So many days are taken by themselves where a deadline would pass, once for each deadline."""
RUNNING = 3
"""So often they are taken by themselves without a move between; then whoever says nothing is not on holiday."""
SOON = timedelta(minutes=1)
ROUSED = DAY
"""Whoever is back while days are taken by themselves has so long to move."""


class AbsenceError(ValueError):
    """Refuses an absence, in a sentence for the one who asked for it."""


def keep_quiet(ctx: Context, player: Player, hours: tuple[int, int] | None) -> None:
    """Keep the hours of a player's zone in which no deadline falls; None where any hour will do.

    Raises AbsenceError where they are too many for a night.
    """
    if hours and (hours[1] - hours[0]) % 24 > LONGEST_NIGHT:
        raise AbsenceError(_("A night has at most {hours} hours; nothing has been changed.", hours=LONGEST_NIGHT))
    player.quiet_from, player.quiet_until = hours or (0, 0)
    look_again(ctx, player)


def look_again(ctx: Context, player: Player) -> None:
    """Have the clock look soon at a player's deadlines, because how they live has changed."""
    ctx.session.flush()
    turn_deadlines.look_again(ctx, turn_deadlines.of_player(player.id))


def go(ctx: Context, player: Player, days: Days) -> Standstill:
    """Have a player be away; what overlaps becomes one absence. Refused with a sentence where that cannot be."""
    _hold(ctx, player)
    begin, end = _span(ctx, player, days)
    known = _of(ctx, player, since=begin - AHEAD)
    touching = [row for row in known if row.begin_at <= end and row.end_at and row.end_at >= begin]
    begin = min([begin, *(row.begin_at for row in touching)])
    end = max([end, *(row.end_at for row in touching if row.end_at)])
    if _there(end, player.zone) - _there(begin, player.zone) > AT_MOST:
        raise _too_long()
    others = [row for row in known if row not in touching]
    for year in range(_there(begin, player.zone).year, _there(end, player.zone).year + 1):
        _afford(player, others, (begin, end), year)
    for row in touching:
        ctx.session.delete(row)
    absence = Standstill(why=PauseReason.AWAY.value, player_id=player.id, begin_at=begin, end_at=end)
    ctx.session.add(absence)
    look_again(ctx, player)
    return absence


def back(ctx: Context, player: Player) -> Standstill | None:
    """Have a player be back: the absence that runs ends, or else the next one is called off; gives it, if any.

    Days that were taken by themselves end in a day, so that there is time to move.
    """
    _hold(ctx, player)
    known = ahead(ctx, player)
    return cut_short(ctx, player, known[0].id) if known else None


def cut_short(ctx: Context, player: Player, number: int) -> Standstill | None:
    """End an absence now, or call it off; None where there is none of that number."""
    _hold(ctx, player)
    absence = next((row for row in ahead(ctx, player) if row.id == number), None)
    if absence is None:
        return None
    if absence.begin_at >= ctx.now:
        ctx.session.delete(absence)
    else:
        until = ctx.now + ROUSED if absence.by_itself else ctx.now
        absence.end_at = min(absence.end_at or until, until)
    look_again(ctx, player)
    return absence


def ahead(ctx: Context, player: Player) -> list[Standstill]:
    """List the absences that run or are to come, the first to begin first."""
    return [row for row in _of(ctx, player, since=ctx.now) if row.end_at and row.end_at > ctx.now]


def left(ctx: Context, player: Player, year: int | None = None) -> int:
    """Tell how many whole days of absence a player has left in a year of their zone, this one unless told."""
    year = year or this_year(ctx, player)
    return (_bank() - _charged(_spans(_of(ctx, player, year=year)), year, player.zone)).days


def this_year(ctx: Context, player: Player) -> int:
    """Tell which year it is where a player is."""
    return _there(ctx.now, player.zone).year


def take_by_itself(ctx: Context, match: Match, holder: Holder, row: Deadline) -> bool:
    """Put a deadline that would pass off by some days of the player's vacation; False where that is not to be."""
    player = holder.player
    if player.bot or not player.vacation_by_itself or match.next_ply == 1:
        # A match in which nobody has moved counts for nothing: no days are spent on it.
        return False
    alone = select(Player.id).where(Player.id == player.id).with_for_update(key_share=True, skip_locked=True)
    if ctx.session.scalar(alone) is None:
        # Their days are being counted elsewhere; waiting here for that might be waiting for each other.
        row.act_at = ctx.now + SOON
        return True
    days = min(BY_ITSELF, left(ctx, player))
    found = turn_deadlines.reckoned(ctx, match, holder, row)
    if days < 1 or found.due is None or _taken_before(ctx, player, row.asked_at):
        return False
    # Where the night or the full hour put it off, the time itself ran out before.
    ran_out = next(line.until for line in reversed(found.lines) if line.what not in {"night", "hour"})
    begin = ran_out - SOON
    absence = Standstill(
        why=PauseReason.AWAY.value,
        player_id=player.id,
        begin_at=begin,
        end_at=begin + days * DAY,
        by_itself=True,
    )
    ctx.session.add(absence)
    ctx.session.flush()
    # Others may be doing what is due elsewhere: it would be waiting for each other, and they look for themselves.
    free = select(Deadline.match_id, Deadline.seat).where(turn_deadlines.of_player(player.id))
    waiting = ctx.session.execute(free.with_for_update(skip_locked=True)).all()
    turn_deadlines.look_again(ctx, tuple_(Deadline.match_id, Deadline.seat).in_([tuple(each) for each in waiting]))
    turn_deadlines.set_moments(ctx, match, holder, row)
    _tell(ctx, match, holder, row, days)
    return True


def _taken_before(ctx: Context, player: Player, asked: datetime) -> bool:
    """Tell whether days were taken by themselves for this deadline, or too often without a move between."""
    theirs = Standstill.player_id == player.id, Standstill.by_itself
    moved = select(func.max(Turn.moved_at)).join(Holder, Turn.holder_id == Holder.id)
    last = ctx.session.scalar(moved.where(Holder.player_id == player.id))
    begins = ctx.session.scalars(select(Standstill.begin_at).where(*theirs)).all()
    running = [begin for begin in begins if last is None or begin > last]
    return len(running) >= RUNNING or any(begin >= asked for begin in begins)


def _tell(ctx: Context, match: Match, holder: Holder, row: Deadline, days: int) -> None:
    """Tell the player that days were taken, with all that is needed to move, and the table that it waits."""
    course = course_of(ctx, match)
    for other in create.holders(ctx, match):
        own = other.id == holder.id
        facts = outbox.position_facts(ctx, course, other)
        facts |= {"whom": holder.name, "days": days, "left": left(ctx, holder.player)}
        facts["until"] = row.due_at.isoformat() if row.due_at else None
        once = f"vacation {match.id} {holder.id} {other.id} {row.ply}"
        outbox.owe(ctx, "vacation taken" if own else "vacation", other, match, facts, once=once)


def _span(ctx: Context, player: Player, days: Days) -> tuple[datetime, datetime]:
    """Give from when to when days are in a player's zone, or refuse those that cannot be."""
    today = _there(ctx.now, player.zone).date()
    first = days.first or today
    if first < today or (days.last and days.last < today):
        raise AbsenceError(_("That is past: an absence counts from when you say it, so nothing was done."))
    if days.last and days.last < first:
        raise AbsenceError(_("It would end before it begins: nothing was done."))
    if first - today > AHEAD:
        raise AbsenceError(_("That is more than a year ahead: nothing was done. Say it again when it is nearer."))
    if days.last and days.last - first > AT_MOST:
        raise _too_long()
    zone = zone_of(player.zone)
    begin = ctx.now if first == today else datetime.combine(first, time(), zone).astimezone(UTC)
    if days.last:
        return begin, datetime.combine(days.last + DAY, time(), zone).astimezone(UTC)
    end = _there(begin, player.zone) + timedelta(days=days.count)
    return begin, end.replace(tzinfo=zone).astimezone(UTC)


def _too_long() -> AbsenceError:
    return AbsenceError(
        several(
            "An absence ends at most {count} day after it begins: nothing was done.",
            "An absence ends at most {count} days after it begins: nothing was done.",
            AT_MOST.days,
        )
    )


def _afford(player: Player, others: Sequence[Standstill], span: tuple[datetime, datetime], year: int) -> None:
    """Refuse an absence for which too few days are left in a year."""
    known = _spans(others)
    if _charged([*known, span], year, player.zone) > _bank():
        has = (_bank() - _charged(known, year, player.zone)).days
        raise AbsenceError(
            several(
                "You have {count} day of absence left in {year}, and this would take more: nothing was done.",
                "You have {count} days of absence left in {year}, and this would take more: nothing was done.",
                has,
                year=year,
            )
        )


def _bank() -> timedelta:
    return timedelta(days=DAYS_A_YEAR)


def _spans(rows: Iterable[Standstill]) -> list[tuple[datetime, datetime]]:
    return [(row.begin_at, row.end_at) for row in rows if row.end_at]


def _charged(spans: Iterable[tuple[datetime, datetime]], year: int, zone: str) -> timedelta:
    """Add up how long somebody was away in a year by the clock on their wall; no moment counts twice."""
    reached, new_year = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 -- by the wall of a zone
    total = timedelta()
    for begin, end in sorted((_there(begin, zone), _there(end, zone)) for begin, end in spans):
        total += max(min(end, new_year) - max(begin, reached), timedelta())
        reached = max(reached, end)
    return total


def _of(ctx: Context, player: Player, *, since: datetime | None = None, year: int | None = None) -> list[Standstill]:
    """List a player's absences that last beyond a moment, or beyond the beginning of a year of their zone."""
    beyond = since or datetime(year or 1, 1, 1, tzinfo=zone_of(player.zone))
    theirs = Standstill.player_id == player.id, Standstill.why == PauseReason.AWAY.value, Standstill.end_at > beyond
    return list(ctx.session.scalars(select(Standstill).where(*theirs).order_by(Standstill.begin_at, Standstill.id)))


def _hold(ctx: Context, player: Player) -> None:
    """Keep others from counting a player's days at the same time."""
    alone = select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)
    ctx.session.execute(alone)


def _there(moment: datetime, zone: str) -> datetime:
    """Give what the clock on somebody's wall shows."""
    return moment.astimezone(zone_of(zone)).replace(tzinfo=None)
