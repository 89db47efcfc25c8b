"""Mails about looking back: one that was asked for is held until the robot is done, and never sent unasked."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db import conditions
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import send_after_commit
from pbem.play.analysis.looking_back import step_numbers
from pbem.play.matches import share_keys
from pbem.play.matches.match_state import load_log
from pbem.play.notifications import outbox
from pbem.states import OutboxState

if TYPE_CHECKING:
    from pbem.db.models import Analysis, SeatHolder
    from pbem.play.core.context import Context

KIND = "looking back"
"""Kind of the mail with what was found, or with the news that the robot could not look back."""
MAX_HOLD = timedelta(days=2)
"""Time after which a mail is sent without what the robot would have found."""


def hold(ctx: Context, match: Match, holder: SeatHolder, analysis: Analysis, answers: str | None) -> None:
    """Enqueue the mail to a player who has asked, to be sent when the analysis is done; once for each who asks."""
    facts = outbox.match_facts(ctx, match, holder) | key_facts(match)
    once = f"looking back {match.id} {holder.player_id} {analysis.asked_at.isoformat()}"
    outbox.enqueue(ctx, KIND, holder, match, facts, once=once, answers=answers, due_at=ctx.now + MAX_HOLD)


def release(ctx: Context, analysis: Analysis) -> None:
    """Send the held mails about an analysis that is done."""
    held = select(OutboxMessage).where(
        OutboxMessage.match_id == analysis.match_id,
        OutboxMessage.kind == KIND,
        OutboxMessage.state == conditions.member(OutboxState.PENDING),
        OutboxMessage.due_at > ctx.now,
    )
    for message in ctx.session.scalars(held):
        message.render_data = message.render_data | found_facts(ctx, analysis)
        message.due_at = ctx.now
        send_after_commit(ctx.session, outbox.RELAY_TASK, message.shard)


def found_facts(ctx: Context, analysis: Analysis) -> dict[str, Any]:
    """Return the facts of what was found for a mail, with the steps of its turning points; none if it has failed."""
    if analysis.result is None:
        return {}
    plies = {point["ply"] for point in analysis.result["turning_points"]}
    steps = step_numbers(load_log(ctx, analysis.match_id))
    return {"found": analysis.result, "steps": [[ply, steps[ply]] for ply in sorted(plies) if ply in steps]}


def key_facts(match: Match) -> dict[str, Any]:
    """Return the fact that opens the replay of a private match."""
    return {} if match.public else {"shared": share_keys.shared_key(match)}
