"""Find the seat that a mail answers by the Message-ID of our mail, where no reply address identifies it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import OutboxMessage, SeatHolder, Token
from pbem.play.core import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context


def find_reply_token(ctx: Context, message_ids: Sequence[str]) -> str | None:
    """Return the reply token of the first of some mails that is ours; None if the seat has renewed its links since."""
    for message_id in message_ids:
        query = (
            select(OutboxMessage.ply, SeatHolder, Token.hash)
            .join(SeatHolder, OutboxMessage.holder_id == SeatHolder.id)
            .join(Token, Token.holder_id == SeatHolder.id)
            .where(
                OutboxMessage.message_id == message_id,
                OutboxMessage.ply == Token.ply,
                Token.kind == tokens.REPLY,
                Token.generation == SeatHolder.generation,
                Token.issued_at <= OutboxMessage.created_at,
            )
        )
        for ply, holder, stored_hash in ctx.session.execute(query):
            for key in ctx.config.secret_keys:
                token = tokens.derive(key, tokens.REPLY, holder.id, ply, holder.generation)
                if tokens.hash_token(token) == stored_hash:
                    return token
    return None
