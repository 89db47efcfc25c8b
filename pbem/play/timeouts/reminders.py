"""Mails that a move is due soon, and that a player's time has run out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Submission
from pbem.play.clocks.calculation import HOUR
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Match, Player, SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.deadlines.reminder_schedule import ReminderPreferences

RECHECK_AFTER = HOUR / 60
"""Delay before a reminder is checked again while a submission of the player is pending."""


def remind(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> None:
    """Enqueue a reminder of a deadline; put it off while a submission of the player is pending."""
    # Such as a held move.
    pending = Submission.holder_id == holder.id, Submission.status == SubmissionStatus.PENDING
    if ctx.session.scalar(select(Submission.id).where(*pending).limit(1)) is not None:
        row.next_action_at = ctx.now + RECHECK_AFTER
        return
    row.reminded_at = ctx.now
    facts = outbox.position_facts(ctx, load_match(ctx, match), holder)
    once = f"due soon {match.id} {holder.id} {row.ply} {row.remind_at}"
    outbox.enqueue(ctx, "due soon", holder, match, facts, once=once)
    turn_deadlines.update_times(ctx, match, holder, row)


def notify_late(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> None:
    """Enqueue mails to all players that one's time has run out, and until when they may still move."""
    course = load_match(ctx, match)
    times = {"ran_out": row.due_at, "until": row.phase_ends_at}
    about = {"whose": holder.seat, "on_time": match.timeout_policy}
    about |= {name: time.isoformat() for name, time in times.items() if time}
    for other in seats.holders(ctx, match):
        facts = outbox.position_facts(ctx, course, other) | about
        once = f"late {match.id} {holder.id} {other.id} {row.ply}"
        outbox.enqueue(ctx, "late", other, match, facts, once=once)


def set_preference(ctx: Context, player: Player, preferences: ReminderPreferences) -> None:
    """Store a player's reminder preferences, and apply it to their present turns, too."""
    player.reminders, player.reminder_hour = preferences.frequency, preferences.hour
    ctx.session.flush()
    turn_deadlines.recompute_soon(ctx, turn_deadlines.belongs_to_player(player.id))
