"""Deadlines: since when a seat is asked for its move, and by when it should come; rows that follow a match's course."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_, update

from pbem.db.models import Deadline, Holder, LogEntry, MatchSeat, Turn
from pbem.db.remembered import remembered
from pbem.db.session import after_commit
from pbem.play import clocks, reminders, seated, standstills, thinking
from pbem.play.clock import Asked, Life, Reckoning, banked, reckon, spent

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.db.models import Match, Player
    from pbem.play.clock import Settings, Span
    from pbem.play.table import Table

CLOCK = "clock"
"""The task that does what is due at a match."""
PATIENCE = timedelta(seconds=30)
"""A clock acts no sooner than this after a deadline: what was received by then is judged first."""


def ask(table: Table, match: Match) -> None:
    """Note who is asked for a move now, and forget who no longer is; called whenever that may have changed.

    Whoever was asked in this stage already keeps the time they were given.
    """
    rows = {row.seat: row for row in of_match(table, match)}
    present = _seated(table, match)
    for seat, row in rows.items():
        if seat not in match.to_move or row.ply != match.ply:
            _close(table, match, row, present)
    for seat in match.to_move:
        known = rows.get(seat)
        if known is None or known.ply != match.ply:
            row = Deadline(match_id=match.id, seat=seat, ply=match.ply, asked_at=table.now, extra=0)
            holder = present[seat]
            set_moments(table, match, holder, row)
            row.play_at = thinking.at(table, match, holder, row)
            if row.play_at:
                set_moments(table, match, holder, row)
            table.session.add(row)
            if row.play_at and row.play_at <= table.now:
                after_commit(table.session, CLOCK, match.id)


def of_match(table: Table, match: Match) -> list[Deadline]:
    """List a match's deadlines in seat order, as they stand in the database."""
    theirs = select(Deadline).where(Deadline.match_id == match.id).order_by(Deadline.seat)
    fresh = theirs.execution_options(populate_existing=True)
    return [*remembered(table.session, (Deadline,), ("of", match.id), lambda: table.session.scalars(fresh).all())]


def reckoned(table: Table, match: Match, holder: Holder, row: Deadline) -> Reckoning:
    """Reckon by when a seat's move should come, by all that is known now."""
    return reckon(*_situation(table, match, holder, row))


def life_of(player: Player) -> Life:
    """Give what a clock needs to know of how somebody lives."""
    quiet = (player.quiet_from, player.quiet_until)
    return Life(player.zone, None if quiet[0] == quiet[1] else quiet)


def set_moments(table: Table, match: Match, holder: Holder, row: Deadline) -> Reckoning:
    """Write into a deadline's row by when the move should come, and when the clock has something to do about it.

    Nobody is reminded of a move that the service plays, and none of these comes too late.
    """
    settings, life, asked, stops = _situation(table, match, holder, row)
    found = reckon(settings, life, asked, stops)
    row.due_at, row.remind_at = found.due, None
    if row.play_at and found.due:
        row.play_at = min(row.play_at, found.due)
    if found.due and not row.late_at and not row.play_at:
        asking = reminders.Asking(settings, life, asked, stops, found.due, row.reminded_at)
        row.remind_at = reminders.next_at(asking, reminders.wish_of(holder.player), table.now)
    set_next_act(row)
    return found


def set_next_act(row: Deadline) -> None:
    """Write into a deadline's row when the clock looks at it next."""
    acts = [row.play_at, row.ends_at]
    if row.due_at and not row.late_at:
        acts += [row.due_at + PATIENCE, row.remind_at]
    row.act_at = min((act for act in acts if act), default=None)


def look_again(table: Table, *whose: Any) -> None:
    """Have the clock look soon at all deadlines of some kind, because what they follow from has changed."""
    again = update(Deadline).where(Deadline.due_at.is_not(None) | Deadline.late_at.is_not(None), *whose)
    table.session.execute(again.values(act_at=table.now).execution_options(synchronize_session=False))


def of_player(player: int) -> ColumnElement[bool]:
    """Say which deadlines are those of a player."""
    return _of_holders(Holder.player_id == player)


def of_domain(domain: str) -> ColumnElement[bool]:
    """Say which deadlines are those of players who are mailed at a domain."""
    return _of_holders(func.split_part(Holder.email, "@", 2) == domain)


def due(table: Table, match: Match, seat: int) -> datetime | None:
    """Give when a seat's move is due, where it is asked for one and plays against time; or was, where it is late."""
    found = why(table, match, seat)
    row = _row(table, match, seat)
    return row.due_at if row and row.late_at else found.due if found else None


def times(table: Table, match: Match, holder: Holder) -> tuple[datetime | None, datetime | None]:
    """Give by when a holder's move should come, and where that is over until when it may still come."""
    if holder.seat not in match.to_move or not clocks.settings(match.clock).runs:
        return None, None
    row = table.session.get(Deadline, (match.id, holder.seat), populate_existing=True)
    if row is None:
        return None, None
    if row.late_at:
        return row.due_at, row.ends_at
    # Of whoever was asked in this transaction it is known already, unless the clock has been told to look again.
    fresh = row.asked_at == table.now != row.act_at
    return (row.due_at if fresh else reckoned(table, match, holder, row).due), None


def grace(table: Table, match: Match, seat: int) -> datetime | None:
    """Give until when a seat may still move whose time has run out."""
    row = _row(table, match, seat)
    return row.ends_at if row and row.late_at and seat in match.to_move else None


def why(table: Table, match: Match, seat: int) -> Reckoning | None:
    """Reckon anew when a seat's move is due, step by step; None where it is not asked or there is no clock."""
    if seat not in match.to_move or not clocks.settings(match.clock).runs:
        return None
    row = table.session.get(Deadline, (match.id, seat), populate_existing=True)
    return reckoned(table, match, _seated(table, match)[seat], row) if row else None


def _situation(
    table: Table, match: Match, holder: Holder, row: Deadline
) -> tuple[Settings, Life, Asked, tuple[Span, ...]]:
    """Gather what the clock is reckoned from."""
    settings, life = clocks.settings(match.clock), life_of(holder.player)
    if not settings.runs:
        return settings, life, Asked(row.asked_at), ()
    asked = Asked(row.asked_at, _bank(table, match, row.seat), timedelta(seconds=row.extra))
    return settings, life, asked, standstills.spans(table, match, holder, row.asked_at)


def _of_holders(whose: ColumnElement[bool]) -> ColumnElement[bool]:
    seats = select(Holder.match_id, Holder.seat).where(whose, Holder.until.is_(None))
    return tuple_(Deadline.match_id, Deadline.seat).in_(seats)


def _row(table: Table, match: Match, seat: int) -> Deadline | None:
    return table.session.get(Deadline, (match.id, seat))


def _seated(table: Table, match: Match) -> dict[int, Holder]:
    return {holder.seat: holder for holder in seated.holders(table, match)}


def _close(table: Table, match: Match, row: Deadline, present: dict[int, Holder]) -> None:
    """Put an end to a deadline; where the seat moved, keep how long it took, and charge its bank with that."""
    moves = select(LogEntry.at).where(LogEntry.match_id == match.id, LogEntry.seat == row.seat, LogEntry.ply >= row.ply)
    moved = table.session.scalar(moves.order_by(LogEntry.number.desc()).limit(1))
    if moved is not None:
        holder = present[row.seat]
        turn = Turn(
            match_id=match.id,
            seat=row.seat,
            ply=row.ply,
            holder_id=holder.id,
            asked_at=row.asked_at,
            moved_at=moved,
        )
        table.session.add(turn)
        settings = clocks.settings(match.clock)
        if settings.bank is not None:
            stops = standstills.spans(table, match, holder, row.asked_at)
            used = spent(settings, life_of(holder.player), row.asked_at, moved, stops)
            used = max(used - timedelta(seconds=row.extra), timedelta())
            left = banked(settings, _bank(table, match, row.seat), used)
            place = table.session.get_one(MatchSeat, (match.id, row.seat))
            place.bank = int(left.total_seconds()) if left is not None else None
    table.session.delete(row)
    table.session.flush()


def _bank(table: Table, match: Match, seat: int) -> timedelta | None:
    left = table.session.get_one(MatchSeat, (match.id, seat)).bank
    return None if left is None else timedelta(seconds=left)
