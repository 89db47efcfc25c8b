"""Nudging: a friendly mail to whoever is to move, from somebody at the table who waits for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.moments import moment
from pbem.play import deadlines, notices, seated, standstills
from pbem.play.clock import DAY
from pbem.play.history import course_of
from pbem.states import PauseReason
from pbem.words import _

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.clock import Span
    from pbem.play.table import Table

AFTER = timedelta(hours=12)
"""Nobody is nudged sooner than this after they were asked for their move."""
AGAIN = DAY
"""So long after a nudge somebody may be nudged again, by whomever."""


def nudge(table: Table, match: Match, holder: Holder) -> list[str]:
    """Mail those for whom a match waits, and tell whoever asks for that what came of it, a sentence for each."""
    rows = {row.seat: row for row in deadlines.of_match(table, match)}
    others = [other for other in seated.holders(table, match) if other.seat in rows and other.id != holder.id]
    return [_one(table, match, holder, other, rows[other.seat]) for other in others] or [
        _("Nobody else is to move, so there is nobody to nudge.")
    ]


def _one(table: Table, match: Match, holder: Holder, other: Holder, row: Deadline) -> str:
    name, zone = other.name, holder.player.zone
    if why_not := _stands(table, match, other, row, zone):
        return why_not
    if table.now < row.asked_at + AFTER:
        asked, then = moment(row.asked_at, zone), moment(row.asked_at + AFTER, zone)
        return _("{name} was asked on {asked} only; you may nudge from {then} on.", name=name, asked=asked, then=then)
    if row.nudged_at and table.now < row.nudged_at + AGAIN:
        then = moment(row.nudged_at + AGAIN, zone)
        return _("{name} has been nudged already; that may be done once a day, again from {then} on.",
                 name=name, then=then)  # fmt: skip
    row.nudged_at = table.now
    facts = notices.position_facts(table, course_of(table, match), other) | {"by": holder.name}
    once = f"nudge {match.id} {other.id} {row.ply} {table.now.isoformat()}"
    notices.owe(table, "nudge", other, match, facts, once=once)
    return _("{name} was nudged.", name=name)


def _stands(table: Table, match: Match, other: Holder, row: Deadline, zone: str) -> str:
    """Say why somebody is not to be nudged now, whenever they were asked; empty if they may be."""
    if other.player.bot:
        return _("{name} is a robot, and moves by itself.", name=other.name)
    until = standstills.away(table, match).get(other.seat)
    if until:
        return standstills.sentence(other.name, until, zone)
    now = [stop.why for stop in standstills.spans(table, match, other, row.asked_at) if _covers(stop, table)]
    if PauseReason.PAUSED in now:
        return _("The match is paused, so nobody is nudged.")
    return ""


def _covers(stop: Span, table: Table) -> bool:
    return stop.begin <= table.now and (stop.end is None or table.now < stop.end)
