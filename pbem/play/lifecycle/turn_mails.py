"""Turn mails: who is mailed for a move, and what they are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.chat import messages, trailing_lines
from pbem.play.conditional_moves import plan_store
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import event_facts
from pbem.play.matches import kept_lines, seats
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match
    from pbem.play.core.context import Context


def seats_to_mail(ctx: Context, match: Match) -> set[int]:
    """Return the seats that are mailed for a move: those to move, except where the service will play."""
    left_to_us = {row.seat for row in turn_deadlines.for_match(ctx, match) if row.robot_moves_at}
    return {*match.to_move} - left_to_us


def enqueue(ctx: Context, match: Match, answers: Mapping[int, str], **more: dict[str, Any]) -> set[int]:
    """Enqueue a turn mail to each seat that is to move, once per stage; return these seats.

    `answers` maps the seat whose mail led to this position to its Message-ID: that player gets a single mail that is
    both receipt and turn mail. `more` adds facts, by seat.
    """
    course, awaited, features = load_match(ctx, match), seats_to_mail(ctx, match), match_features.load(ctx, match.id)
    event = event_facts.load(ctx, match)
    for holder in seats.holders(ctx, match):
        if holder.seat in awaited:
            facts = outbox.position_facts(ctx, course, holder) | more.get(str(holder.seat), {}) | event
            facts["talk"] = messages.unmailed(ctx, match, holder) if features.chat else []
            facts |= trailing_lines.premove_facts(course, holder)
            if features.plans:
                facts |= plan_store.turn_facts(ctx, course, holder)
            if features.lines:
                facts |= kept_lines.turn_facts(ctx, course, holder)
            once = f"turn {match.id} {holder.id} {match.ply}"
            outbox.enqueue(
                ctx, "turn", holder, match, facts, once=once, ply=match.ply, answers=answers.get(holder.seat)
            )
    return awaited
