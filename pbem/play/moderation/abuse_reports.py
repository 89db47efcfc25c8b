"""Abuse reports: what a player reports about another one of their match, for the operator only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import AbuseReport
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.notifications import operator_mail, outbox

if TYPE_CHECKING:
    from pbem.db.models import ChatMessage, Match, SeatHolder
    from pbem.play.core.context import Context

MAX_PER_DAY = 10
"""Maximum reports per player and day."""
MAX_CHARS = 2000


def submit(
    ctx: Context, match: Match, holder: SeatHolder, about: SeatHolder, text: str, message: ChatMessage | None = None
) -> bool:
    """Store a report and enqueue it to the operator, once; return False if its sender has reached the daily limit."""
    if hit(ctx, Limit("report", str(holder.player_id), MAX_PER_DAY, SECONDS_PER_DAY)):
        return False
    text, reported = text[:MAX_CHARS], message.text if message else None
    row = {
        "match_id": match.id, "reporter_id": holder.id, "reported_holder_id": about.id, "text": text,
        "chat_message_id": message and message.id, "reported_text": reported, "reported_at": ctx.now,
    }  # fmt: skip
    kept = ctx.session.scalar(insert(AbuseReport).values(row).on_conflict_do_nothing().returning(AbuseReport.id))
    operator = operator_mail.operator_address(ctx.config)
    if kept is not None and operator:
        people = {"by": [holder.name, holder.email], "about": [about.name, about.email]}
        facts = {"match": match.id, "said": reported, "text": text, "language": "en", "name": "Operator"}
        outbox.enqueue_mail(ctx, "report", operator, facts | people, once=f"report {kept}")
    return True
