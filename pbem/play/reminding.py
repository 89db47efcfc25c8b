"""Reminding: the mails that say that a move is due soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import deadlines, notices
from pbem.play.history import course_of

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.table import Table


def remind(table: Table, match: Match, holder: Holder, row: Deadline) -> None:
    """Owe a player the one mail of this deadline that reminds them of it."""
    row.reminded_at = table.now
    deadlines.set_next_act(holder, row)
    facts = notices.position_facts(table, course_of(table, match), holder)
    notices.owe(table, "reminder", holder, match, facts, once=f"reminder {match.id} {holder.id} {row.ply}")
