"""Deadlines of turns: since when a seat is to move, and by when; rows that follow the state of a match."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select, tuple_, update

from pbem.db.models import Base, Deadline, LogEntry, MatchSeat, MoveTiming, SeatHolder
from pbem.db.query_cache import get_or_query, store
from pbem.db.session import send_after_commit
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
from pbem.play.deadlines import reminder_schedule
from pbem.play.matches import seats as matches_seats
from pbem.states import DeadlinePhase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.db.models import Match, Player
    from pbem.play.clocks.calculation import Interval, TimeControl
    from pbem.play.core.context import Context

CLOCK_TASK = "run_deadlines"
"""Name of the task that does what is due in a match."""
CLOCK_DELAY = timedelta(seconds=30)
"""Minimum delay of the clock after a deadline, so that what was received in time is judged first."""

_DEADLINES_QUERY = (
    select(Deadline)
    .where(Deadline.match_id == bindparam("match"))
    .order_by(Deadline.seat)
    .execution_options(populate_existing=True)
)
_LAST_MOVE = (
    select(
        LogEntry.match_id,
        LogEntry.seat,
        bindparam("ply", type_=MoveTiming.ply.type),
        bindparam("holder", type_=MoveTiming.holder_id.type),
        bindparam("asked_at", type_=MoveTiming.asked_at.type),
        LogEntry.logged_at,
    )
    .where(
        LogEntry.match_id == bindparam("match"), LogEntry.seat == bindparam("seat"), LogEntry.ply >= bindparam("ply")
    )
    .order_by(LogEntry.number.desc())
    .limit(1)
)
_INSERT_TURN = (
    insert(Base.metadata.tables[MoveTiming.__tablename__])
    .from_select(["match_id", "seat", "ply", "holder_id", "asked_at", "moved_at"], _LAST_MOVE)
    .returning(MoveTiming.moved_at)
)
"""Insert the turn of a seat that has moved since it was asked; returns when it moved."""


def sync(ctx: Context, match: Match) -> None:
    """Insert deadlines of the seats to move and delete those of other seats; call it whenever these may have changed.

    A seat that was already to move in this stage keeps its deadline.
    """
    rows = {row.seat: row for row in for_match(ctx, match)}
    present = _holders_by_seat(ctx, match)
    for seat, row in [*rows.items()]:
        if seat not in match.to_move or row.ply != match.ply:
            _close_turn(ctx, match, row, present)
            del rows[seat]
    for seat in [one for one in match.to_move if one not in rows]:
        new = {"match_id": match.id, "seat": seat, "ply": match.ply, "asked_at": ctx.now}
        row = rows[seat] = Deadline(**new, extra_seconds=0, phase=DeadlinePhase.RUNNING)
        update_times(ctx, match, present[seat], row)
        row.robot_moves_at = move_delay.scheduled_time(ctx, match, present[seat], row)
        if row.robot_moves_at:
            update_times(ctx, match, present[seat], row)
        ctx.session.add(row)
        if row.robot_moves_at and row.robot_moves_at <= ctx.now:
            send_after_commit(ctx.session, CLOCK_TASK, match.id)
    store(ctx.session, *_cache_key(match), [rows[seat] for seat in sorted(rows)])


def for_match(ctx: Context, match: Match) -> list[Deadline]:
    """List a match's deadlines in seat order, as they are in the database."""

    def query() -> Sequence[Deadline]:
        return ctx.session.scalars(_DEADLINES_QUERY, {"match": match.id}).all()

    return [*get_or_query(ctx.session, *_cache_key(match), query)]


def _cache_key(match: Match) -> tuple[tuple[type[Deadline]], tuple[str, str]]:
    return (Deadline,), ("of", match.id)


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


def grace_end(ctx: Context, match: Match, seat: int) -> datetime | None:
    """Return the end of a seat's grace period, or None if it is not in one."""
    row = _deadline_of_seat(ctx, match, seat)
    return row.phase_ends_at if row and seat in match.to_move else None


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


def _close_turn(ctx: Context, match: Match, row: Deadline, present: dict[int, SeatHolder]) -> None:
    """Delete a deadline; if the seat has moved, store its turn and charge its bank with the time spent."""
    holder, settings = present[row.seat], time_controls.control_for(match.time_control)
    # The query below needs the move to be written.
    ctx.session.flush()
    turn = {"match": match.id, "seat": row.seat, "ply": row.ply, "holder": holder.id, "asked_at": row.asked_at}
    moved = ctx.session.scalar(_INSERT_TURN, turn)
    if moved is not None and settings.bank is not None:
        stops = clock_pauses.stopped_intervals(ctx, match, holder, row.asked_at)
        used = time_spent(settings, availability_of(holder.player), row.asked_at, moved, stops)
        used = max(used - timedelta(seconds=row.extra_seconds), timedelta())
        left = bank_after_move(settings, _bank(ctx, match, row.seat), used)
        place = ctx.session.get_one(MatchSeat, (match.id, row.seat))
        place.bank_seconds = int(left.total_seconds()) if left is not None else None
    ctx.session.delete(row)
    ctx.session.flush()


def _bank(ctx: Context, match: Match, seat: int) -> timedelta | None:
    left = ctx.session.get_one(MatchSeat, (match.id, seat)).bank_seconds
    return None if left is None else timedelta(seconds=left)
