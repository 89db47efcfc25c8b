"""Threads: the headers by which a mail program shows all mails of a match as one conversation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlalchemy import Text, and_, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import aliased

from pbem.db.models import OutboxMessage
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

MAX_REFERENCES = 10

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")


def thread_headers(ctx: Context, message: OutboxMessage, before: Sequence[str] | None) -> dict[str, str]:
    """Return the headers that put a mail in the thread of its match and player: root, earlier mails, answered mail."""
    root = f"<match.{message.match_id}.{message.render_data['seat']}@{ctx.config.mail_domain}>"
    if before is None:
        before = ctx.session.scalar(select(earlier_message_ids()).where(OutboxMessage.id == message.id)) or ()
    thread = [root, *reversed(before), *_answered(message)]
    return {"In-Reply-To": thread[-1], "References": " ".join(thread)}


def answer_headers(message: OutboxMessage) -> dict[str, str]:
    """Return the headers that put a mail about no seat below the mail that it answers, if any."""
    return {name: one for one in _answered(message) for name in ("In-Reply-To", "References")}


def _answered(message: OutboxMessage) -> list[str]:
    return [message.in_reply_to] if message.in_reply_to and _MESSAGE_ID.fullmatch(message.in_reply_to) else []


def earlier_message_ids() -> ColumnElement[Sequence[str]]:
    """Return a subquery for the Message-IDs of earlier mails to the same seat, the latest first.

    It leaves out mails that are held beyond this one, or were dropped at the end of their hold.
    """
    earlier = aliased(OutboxMessage)
    same = (
        earlier.match_id == OutboxMessage.match_id,
        earlier.holder_id == OutboxMessage.holder_id,
        earlier.id < OutboxMessage.id,
        earlier.due_at <= OutboxMessage.due_at,
        ~and_(earlier.state == OutboxState.DROPPED, earlier.due_at > earlier.created_at),
    )
    newest = (
        select(earlier.message_id)
        .where(*same)
        .order_by(earlier.id.desc())
        .limit(MAX_REFERENCES - 2)
        .correlate(OutboxMessage)
    )
    return func.array(newest.scalar_subquery(), type_=ARRAY(Text))
