"""Deadlines: since when a seat is asked for its move, and by when it should come; rows that follow a match's course."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Deadline
from pbem.play import clocks

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.table import Table


def ask(table: Table, match: Match) -> None:
    """Note who is asked for a move now, and forget who no longer is; called whenever that may have changed."""
    theirs = Deadline.match_id == match.id
    table.session.execute(delete(Deadline).where(theirs, Deadline.seat.not_in(match.to_move)))
    if not match.to_move:
        return
    due = due_at(match.clock, table.now)
    row = {"match_id": match.id, "ply": match.ply, "asked_at": table.now, "due_at": due}
    asked = insert(Deadline).values([row | {"seat": seat} for seat in match.to_move])
    new = asked.excluded
    # Whoever was asked in this stage already keeps the time they were given.
    anew = asked.on_conflict_do_update(
        index_elements=["match_id", "seat"],
        set_={"ply": new.ply, "asked_at": new.asked_at, "due_at": new.due_at},
        where=Deadline.ply != new.ply,
    )
    table.session.execute(anew)


def due_at(clock: str, asked: datetime) -> datetime | None:
    """Give when a move is due that was asked for at a moment: at a full hour, which can be remembered."""
    days = clocks.days(clock)
    if days is None:
        return None
    due = asked + timedelta(days=days)
    hour = due.replace(minute=0, second=0, microsecond=0)
    return hour if hour == due else hour + timedelta(hours=1)


def due(table: Table, match: Match, seat: int) -> datetime | None:
    """Give when a seat's move is due, where it is asked for one and plays against time."""
    if seat not in match.to_move or clocks.days(match.clock) is None:
        return None
    theirs = Deadline.match_id == match.id, Deadline.seat == seat
    return table.session.scalar(select(Deadline.due_at).where(*theirs))
