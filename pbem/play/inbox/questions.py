"""The question that a mail answers: the mail of ours that it replies to, and the requests that are still open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import OutboxMessage
from pbem.play.offers import open_offers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Offer, SeatHolder
    from pbem.play.core.context import Context

OFFER, ASK_AGAIN = "offer", "earlier mail"
CHAT_QUESTIONS = frozenset({"talks?", "talks", "talks not"})
"""Kinds of mail that ask whether text below a move goes to the chat, or say how to change that."""
CONFIRMATIONS = frozenset({"resign?", "stop all?"})
"""Kinds of mail that ask for the confirmation of a command."""
KINDS = frozenset({OFFER}) | CHAT_QUESTIONS | CONFIRMATIONS
"""Kinds of mail that ask something, apart from invitations."""


def find_answered(ctx: Context, holder: SeatHolder, message_ids: Sequence[str]) -> OutboxMessage | None:
    """Return the mail to a seat that a mail answers, by the Message-IDs that it names; None if it names none of ours.

    A reply to the request to send it again answers the mail that was answered before.
    """
    found = _find(ctx, holder, message_ids)
    if found is not None and found.kind == ASK_AGAIN:
        return _find(ctx, holder, found.render_data["answered"])
    return found


def answered_kind(ctx: Context, holder: SeatHolder, message_ids: Sequence[str]) -> str:
    """Return the kind of the mail that a mail answers, or an empty string."""
    found = find_answered(ctx, holder, message_ids) if message_ids else None
    return found.kind if found is not None else ""


def find_offer(ctx: Context, match: Match, question: OutboxMessage) -> Offer | None:
    """Return the offer that a mail asks about, if it is still open; a later one of the same kind is another one."""
    offer = open_offers.by_kind(ctx, match).get(question.render_data["offer"])
    return offer if offer is not None and offer.offered_at <= question.created_at else None


def _find(ctx: Context, holder: SeatHolder, message_ids: Sequence[str]) -> OutboxMessage | None:
    own = OutboxMessage.holder_id == holder.id, OutboxMessage.message_id.in_(message_ids)
    found = {one.message_id: one for one in ctx.session.scalars(select(OutboxMessage).where(*own))}
    return next((found[answered] for answered in message_ids if answered in found), None)
