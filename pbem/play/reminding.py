"""Reminding: the mails that say that a move is due soon, and that somebody's time has run out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Submission
from pbem.play import deadlines, notices, seated
from pbem.play.clock import HOUR
from pbem.play.history import course_of

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Holder, Match, Player
    from pbem.play.reminders import Wish
    from pbem.play.table import Table

A_WHILE = HOUR / 60
"""So much later it is looked again whether somebody is to be reminded who has sent something."""


def remind(table: Table, match: Match, holder: Holder, row: Deadline) -> None:
    """Owe a player a mail that reminds them of a deadline; what they have sent is judged first."""
    if _has_sent(table, holder):
        row.act_at = table.now + A_WHILE
        return
    row.reminded_at = table.now
    facts = notices.position_facts(table, course_of(table, match), holder)
    once = f"due soon {match.id} {holder.id} {row.ply} {row.remind_at}"
    notices.owe(table, "due soon", holder, match, facts, once=once)
    deadlines.set_moments(table, match, holder, row)


def tell_late(table: Table, match: Match, holder: Holder, row: Deadline) -> None:
    """Tell a table, and whoever it is, that somebody's time has run out, and until when they may still move."""
    course = course_of(table, match)
    told = {"whose": holder.seat, "on_time": match.on_time}
    times = {"ran_out": row.due_at, "until": row.ends_at}
    told |= {name: time.isoformat() for name, time in times.items() if time}
    for other in seated.holders(table, match):
        facts = notices.position_facts(table, course, other) | told
        once = f"late {match.id} {holder.id} {other.id} {row.ply}"
        notices.owe(table, "late", other, match, facts, once=once)


def choose(table: Table, player: Player, wish: Wish) -> None:
    """Keep how a player wants to be reminded; it holds for the moves that are asked of them already, too."""
    player.reminders, player.reminder_hour = wish.often, wish.hour
    table.session.flush()
    deadlines.look_again(table, deadlines.of_player(player.id))


def _has_sent(table: Table, holder: Holder) -> bool:
    """Tell whether something that somebody sent has yet to be judged: it may be held for them."""
    waits = select(Submission.id).where(Submission.holder_id == holder.id, Submission.status == "pending")
    return table.session.scalar(waits.limit(1)) is not None
