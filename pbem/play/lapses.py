"""Lapses: what follows when a seat's time has run out, as was chosen when its match was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import clocks, deadlines, endings, matches, notices, standstills
from pbem.play.clock import DAY, Asked, Settings, reckon
from pbem.play.history import course_of
from pbem.play.terms import LOSS

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.table import Table

GRACE = DAY
"""Whose time has run out has this much more, where it does not lose them the match at once."""


def passed(table: Table, match: Match, holder: Holder, row: Deadline) -> None:
    """Do what follows first when a deadline has passed: the match is lost or void, or a time of grace begins."""
    holder.late += 1
    if match.next_ply == 1:
        # Nobody has made a move: the match counts for nothing.
        endings.abort(table, match, by="clock")
    elif match.on_time == LOSS:
        endings.lose_on_time(table, course_of(table, match), holder)
    else:
        row.late_at = table.now
        row.ends_at = _grace(table, match, holder, row)
        deadlines.set_next_act(holder, row)
        _tell_late(table, match, holder, row)


def ended(table: Table, match: Match) -> None:
    """Do what follows when the time of grace is over too."""
    endings.abort(table, match, by="clock", ending="abandoned")


def _grace(table: Table, match: Match, holder: Holder, row: Deadline) -> datetime:
    begin = row.due_at or table.now
    settings = Settings(per_move=GRACE, weekends_free=clocks.settings(match.clock).weekends_free)
    stops = standstills.spans(table, match, holder, begin)
    return reckon(settings, deadlines.life_of(holder.player), Asked(begin), stops).due or table.now + GRACE


def _tell_late(table: Table, match: Match, holder: Holder, row: Deadline) -> None:
    course = course_of(table, match)
    for other in matches.holders(table, match):
        facts = notices.position_facts(table, course, other)
        facts |= {"late": holder.name, "whose": holder.seat, "grace": row.ends_at.isoformat() if row.ends_at else None}
        once = f"late {match.id} {holder.id} {other.id} {row.ply}"
        notices.owe(table, "late", other, match, facts, once=once)
