"""Deadlines of turns: since when a seat is to move, and by when; rows that follow the state of a match."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select, tuple_, update

from pbem.db import conditions, pending_rows
from pbem.db.models import Deadline, MatchSeat, MoveTiming, SeatHolder
from pbem.db.query_cache import Question, get_or_query, store
from pbem.db.session import send_after_commit
from pbem.games.chain import MoveEntry
from pbem.play.clocks import clock_pauses, time_controls
from pbem.play.clocks.calculation import (
    Availability,
    DueTime,
    TurnStart,
    bank_after_move,
    compute_due_time,
    quiet_hours,
    time_spent,
)
from pbem.play.conditional_moves import move_delay
from pbem.play.core import match_features
from pbem.play.deadlines import reminder_schedule
from pbem.play.matches import seats as matches_seats
from pbem.play.matches.match_state import load_match
from pbem.states import DeadlinePhase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.db.models import Match, Player
    from pbem.play.clocks.calculation import Interval, TimeControl
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

CLOCK_TASK = "run_deadlines"
"""Name of the task that does what is due in a match."""
CLOCK_DELAY = timedelta(seconds=30)
"""Minimum delay of the clock after a deadline, so that what was received in time is judged first."""

_INSERT_TIMING = pending_rows.insert_into(MoveTiming, defaults=("automatic_reason",))
_DEADLINES = select(Deadline).order_by(Deadline.match_id, Deadline.seat).execution_options(populate_existing=True)
_DEADLINES_OF_ONE = _DEADLINES.where(Deadline.match_id == bindparam("match"))
_DEADLINES_OF_SEVERAL = _DEADLINES.where(conditions.is_any_of(Deadline.match_id, "matches"))


def sync(ctx: Context, match: Match) -> None:
    """Insert deadlines of the seats to move and delete those of other seats; call it whenever these may have changed.

    A seat that was already to move in this stage keeps its deadline.
    """
    rows = {row.seat: row for row in for_match(ctx, match)}
    present = _holders_by_seat(ctx, match)
    ended = [row for row in rows.values() if row.seat not in match.to_move or row.ply != match.ply]
    for row in ended:
        _record_turn(ctx, match, row, present[row.seat])
    free = [rows.pop(row.seat) for row in ended if row.seat not in match.to_move]
    for seat in [one for one in match.to_move if one not in rows or rows[one] in ended]:
        # The row of a seat whose turn is over is used again, by the same seat or another.
        row = rows[seat] = rows.get(seat) or (free.pop() if free else Deadline(match_id=match.id))
        row.seat = seat
        _begin_turn(ctx, match, row, present[seat])
        ctx.session.add(row)
        if row.robot_moves_at and row.robot_moves_at <= ctx.now:
            send_after_commit(ctx.session, CLOCK_TASK, match.id)
    if any(row in ctx.session.new for row in free):
        # Only a written row can be deleted.
        ctx.session.flush()
    for row in free:
        ctx.session.delete(row)
    store(ctx.session, _question(match), [rows[seat] for seat in sorted(rows)])


def for_match(ctx: Context, match: Match) -> list[Deadline]:
    """List a match's deadlines in seat order, as they are in the database."""

    def query() -> Sequence[Deadline]:
        return ctx.session.scalars(_DEADLINES_OF_ONE, {"match": match.id}).all()

    return [*get_or_query(ctx.session, _question(match), query)]


def load(ctx: Context, matches: Sequence[Match]) -> None:
    """Load the deadlines of several matches by one query, for `for_match`."""
    found: dict[str, list[Deadline]] = {match.id: [] for match in matches}
    for row in ctx.session.scalars(_DEADLINES_OF_SEVERAL, {"matches": [*found]}):
        found[row.match_id].append(row)
    for match in matches:
        store(ctx.session, _question(match), found[match.id])


def _question(match: Match) -> Question:
    return Question((Deadline,), ("deadlines",), match.id)


def compute(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> DueTime:
    """Compute when a seat's move is due, from all that is known now."""
    return compute_due_time(*_inputs(ctx, match, holder, row))


def availability_of(player: Player) -> Availability:
    """Return a player's availability."""
    return Availability(player.time_zone, quiet_hours(player.quiet_from, player.quiet_until))


def update_times(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> DueTime:
    """Update in a deadline's row when the move is due, and when the clock must act on it.

    No reminder is sent of a move that the service plays, and the service plays it no later than it is due.
    """
    settings, life, turn, stops = _inputs(ctx, match, holder, row)
    found = compute_due_time(settings, life, turn, stops)
    row.due_at, row.remind_at = found.due, None
    if row.robot_moves_at and found.due:
        row.robot_moves_at = min(row.robot_moves_at, found.due)
    if found.due and row.phase == DeadlinePhase.RUNNING and not row.robot_moves_at:
        pending = reminder_schedule.PendingMove(settings, life, turn, stops, found.due, row.reminded_at)
        preferences = reminder_schedule.preferences_of(holder.player)
        row.remind_at = reminder_schedule.next_reminder(pending, preferences, ctx.now)
    update_next_action(row)
    return found


def enter_phase(ctx: Context, row: Deadline, phase: DeadlinePhase, ends_at: datetime) -> None:
    """Begin a phase of a late deadline that ends at a moment."""
    row.phase, row.phase_started_at, row.phase_ends_at = phase, ctx.now, ends_at
    update_next_action(row)


def update_next_action(row: Deadline) -> None:
    """Update in a deadline's row when the clock must next act on it."""
    acts = [row.robot_moves_at, row.phase_ends_at]
    if row.due_at and row.phase == DeadlinePhase.RUNNING:
        acts += [row.due_at + CLOCK_DELAY, row.remind_at]
    row.next_action_at = min((act for act in acts if act), default=None)


def recompute_soon(ctx: Context, *whose: Any) -> None:
    """Make the clock recompute some deadlines soon, because what they depend on has changed."""
    has_time = Deadline.due_at.is_not(None) | (Deadline.phase != DeadlinePhase.RUNNING)
    again = update(Deadline).where(has_time, *whose)
    ctx.session.execute(again.values(next_action_at=ctx.now).execution_options(synchronize_session=False))


def belongs_to_player(player: int) -> ColumnElement[bool]:
    """Return the filter for a player's deadlines."""
    return _belongs_to_holders(SeatHolder.player_id == player)


def belongs_to_domain(domain: str) -> ColumnElement[bool]:
    """Return the filter for the deadlines of players with an address at a domain."""
    return _belongs_to_holders(func.split_part(SeatHolder.email, "@", 2) == domain)


def due_or_overdue(ctx: Context, match: Match, seat: int) -> datetime | None:
    """Return when a seat's move is, or if late was, due; None if it is not to move or there is no clock."""
    found = explain(ctx, match, seat)
    row = _deadline_of_seat(ctx, match, seat)
    return row.due_at if row and row.phase != DeadlinePhase.RUNNING else found.due if found else None


def due_and_grace_end(ctx: Context, match: Match, holder: SeatHolder) -> tuple[datetime | None, datetime | None]:
    """Return when a holder's move is due, and if that has passed, the end of the grace period."""
    if holder.seat not in match.to_move or not time_controls.control_for(match.time_control).runs:
        return None, None
    row = _deadline_of_seat(ctx, match, holder.seat)
    if row is None or row.phase != DeadlinePhase.RUNNING:
        return (row.due_at, row.phase_ends_at) if row else (None, None)
    # Already computed if the turn began in this transaction, unless the clock is to recompute it.
    fresh = row.asked_at == ctx.now != row.next_action_at
    return (row.due_at if fresh else compute(ctx, match, holder, row).due), None


def has_scheduled_move(ctx: Context, match: Match, seat: int) -> bool:
    """Return whether the service is scheduled to play for a seat."""
    row = _deadline_of_seat(ctx, match, seat)
    return row is not None and row.robot_moves_at is not None


def explain(ctx: Context, match: Match, seat: int) -> DueTime | None:
    """Compute anew when a seat's move is due, with every step; None if it is not to move or there is no clock."""
    if seat not in match.to_move or not time_controls.control_for(match.time_control).runs:
        return None
    row = _deadline_of_seat(ctx, match, seat)
    return compute(ctx, match, _holders_by_seat(ctx, match)[seat], row) if row else None


def _inputs(
    ctx: Context, match: Match, holder: SeatHolder, row: Deadline
) -> tuple[TimeControl, Availability, TurnStart, tuple[Interval, ...]]:
    """Return the inputs of the computation of a deadline."""
    settings, life = time_controls.control_for(match.time_control), availability_of(holder.player)
    if not settings.runs:
        return settings, life, TurnStart(row.asked_at), ()
    turn = TurnStart(row.asked_at, _bank(ctx, match, row.seat), timedelta(seconds=row.extra_seconds))
    return settings, life, turn, clock_pauses.stopped_intervals(ctx, match, holder, row.asked_at)


def _belongs_to_holders(whose: ColumnElement[bool]) -> ColumnElement[bool]:
    seats = select(SeatHolder.match_id, SeatHolder.seat).where(whose, SeatHolder.left_at.is_(None))
    return tuple_(Deadline.match_id, Deadline.seat).in_(seats)


def _deadline_of_seat(ctx: Context, match: Match, seat: int) -> Deadline | None:
    return next((row for row in for_match(ctx, match) if row.seat == seat), None)


def _holders_by_seat(ctx: Context, match: Match) -> dict[int, SeatHolder]:
    return {holder.seat: holder for holder in matches_seats.holders(ctx, match)}


def _begin_turn(ctx: Context, match: Match, row: Deadline, holder: SeatHolder) -> None:
    """Set in a deadline's row that its seat is asked for a move of this stage now, whatever was in the row."""
    row.ply, row.asked_at, row.extra_seconds, row.wait_votes = match.ply, ctx.now, 0, 0
    row.phase, row.phase_started_at, row.phase_ends_at = DeadlinePhase.RUNNING, None, None
    row.reminded_at = row.nudged_at = row.robot_moves_at = None
    update_times(ctx, match, holder, row)
    if match_features.may_be_played_for(ctx, holder):
        row.robot_moves_at = move_delay.scheduled_time(ctx, match, holder, row)
    if row.robot_moves_at:
        update_times(ctx, match, holder, row)


def _record_turn(ctx: Context, match: Match, row: Deadline, holder: SeatHolder) -> None:
    """Record how long a seat took for its move, and charge its bank with it; nothing if it has not moved."""
    moved_at = _last_move_at(load_match(ctx, match), row.seat, row.ply)
    if moved_at is None:
        return
    turn = {"match_id": match.id, "seat": row.seat, "ply": row.ply, "holder_id": holder.id}
    pending_rows.add(ctx.session, _INSERT_TIMING, turn | {"asked_at": row.asked_at, "moved_at": moved_at})
    settings = time_controls.control_for(match.time_control)
    if settings.bank is not None:
        stops = clock_pauses.stopped_intervals(ctx, match, holder, row.asked_at)
        used = time_spent(settings, availability_of(holder.player), row.asked_at, moved_at, stops)
        used = max(used - timedelta(seconds=row.extra_seconds), timedelta())
        left = bank_after_move(settings, _bank(ctx, match, row.seat), used)
        place = ctx.session.get_one(MatchSeat, (match.id, row.seat))
        place.bank_seconds = int(left.total_seconds()) if left is not None else None


def _last_move_at(course: LoadedMatch, seat: int, since: int) -> datetime | None:
    """Return when a seat made its last move with this number or a later one, taken back or not; None without one."""
    own = (entry for entry in reversed(course.log[course.inherited :]) if entry.seat == seat)
    moves = (entry for entry in own if isinstance(entry, MoveEntry) and entry.ply >= since)
    last = next(moves, None)
    return datetime.fromisoformat(last.at) if last else None


def _bank(ctx: Context, match: Match, seat: int) -> timedelta | None:
    left = ctx.session.get_one(MatchSeat, (match.id, seat)).bank_seconds
    return None if left is None else timedelta(seconds=left)
