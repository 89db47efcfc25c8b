"""Mails that a move is due soon, and that a player's time has run out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Submission
from pbem.play.clocks.calculation import HOUR
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import course_of
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Holder, Match, Player
    from pbem.play.core.context import Context
    from pbem.play.deadlines.reminder_schedule import Wish

A_WHILE = HOUR / 60
"""Delay before a reminder is checked again while a submission of the player is pending."""


def remind(ctx: Context, match: Match, holder: Holder, row: Deadline) -> None:
    """Enqueue a reminder of a deadline; put it off while a submission of the player is pending."""
    if _has_sent(ctx, holder):
        row.act_at = ctx.now + A_WHILE
        return
    row.reminded_at = ctx.now
    facts = outbox.position_facts(ctx, course_of(ctx, match), holder)
    once = f"due soon {match.id} {holder.id} {row.ply} {row.remind_at}"
    outbox.owe(ctx, "due soon", holder, match, facts, once=once)
    turn_deadlines.set_moments(ctx, match, holder, row)


def tell_late(ctx: Context, match: Match, holder: Holder, row: Deadline) -> None:
    """Enqueue mails to all players that one's time has run out, and until when they may still move."""
    course = course_of(ctx, match)
    told = {"whose": holder.seat, "on_time": match.on_time}
    times = {"ran_out": row.due_at, "until": row.ends_at}
    told |= {name: time.isoformat() for name, time in times.items() if time}
    for other in seats.holders(ctx, match):
        facts = outbox.position_facts(ctx, course, other) | told
        once = f"late {match.id} {holder.id} {other.id} {row.ply}"
        outbox.owe(ctx, "late", other, match, facts, once=once)


def choose(ctx: Context, player: Player, wish: Wish) -> None:
    """Store a player's wish for reminders, and apply it to their present turns, too."""
    player.reminders, player.reminder_hour = wish.often, wish.hour
    ctx.session.flush()
    turn_deadlines.look_again(ctx, turn_deadlines.of_player(player.id))


def _has_sent(ctx: Context, holder: Holder) -> bool:
    """Return whether a submission of the player is pending, such as a held move."""
    waits = select(Submission.id).where(Submission.holder_id == holder.id, Submission.status == "pending")
    return ctx.session.scalar(waits.limit(1)) is not None
