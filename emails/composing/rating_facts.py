"""What a match did to its reader's rating, looked up when its last mail is composed: ratings follow the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emails.messages.kinds import Files
from pbem.db.models import Match
from pbem.play.matches.seats import holders
from pbem.play.ratings import standings

if TYPE_CHECKING:
    from emails.messages.context import MessageContext
    from emails.messages.kinds import MessageKind
    from pbem.db.models import OutboxMessage
    from pbem.play.core.context import Context


def with_rating(ctx: Context, message: OutboxMessage, kind: MessageKind, reader: MessageContext) -> MessageContext:
    """Add the points before and after a rated match to the facts of its last mail; None if they are not known yet."""
    match = ctx.session.get(Match, message.match_id) if kind.files is Files.RECORD else None
    if match is None or message.holder is None:
        return reader
    if standings.why_unrated(match, len(match.seats), holders(ctx, match)) is not None:
        return reader
    change = standings.last_change(ctx, match.id, message.holder.player_id)
    points = (change.before.points, change.after.points) if change else None
    return replace(reader, facts={**reader.facts, "rating": points})
