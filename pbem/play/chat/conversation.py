"""The conversation of a table: saying something to it at once, and reading all that was said.

Only those who sit at the table read it, and none of it stands in the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Holder, Message
from pbem.play.chat import messages
from pbem.play.core.context import timestamp
from pbem.play.matches import seats
from pbem.play.matches.match_state import course_of
from pbem.play.moderation import mutes
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

READ_AT_MOST = 200
"""A page shows at most so many of the newest words."""
AGAIN = timedelta(minutes=10)
"""Who says the same again so soon has pressed a button twice."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said at a table, or of a step of its match: by whom, when, and whether it was the reader."""

    number: int
    seat: int
    name: str
    text: str
    at: datetime
    own: bool


def speak(ctx: Context, match: Match, holder: Holder, text: str, submission: str | None = None) -> bool:
    """Say something to a table, and owe the others a mail with it; False where it is enough for a day."""
    if submission is None and _just_said(ctx, holder, text):
        return True
    if not messages.say(ctx, match, holder, text, submission):
        return False
    course = course_of(ctx, match)
    for other in others(ctx, match, holder):
        if holder.player_id not in mutes.muted(ctx, other.player_id):
            facts = outbox.position_facts(ctx, course, other) | {"talk": messages.since(ctx, match, other)}
            once = f"said {match.id} {other.id} {submission or timestamp(ctx.now)}"
            outbox.owe(ctx, "said", other, match, facts, once=once)
    return True


def others(ctx: Context, match: Match, holder: Holder) -> list[Holder]:
    """List those who sit at a table beside one."""
    present = seats.persons(seats.holders(ctx, match))
    return [other for other in present if other.player_id != holder.player_id]


def heard(ctx: Context, match: Match, holder: Holder, most: int = READ_AT_MOST) -> Sequence[Said]:
    """List what was said at a table, as far as one hears it, oldest first."""
    words = select(Message, Holder.name).join(Holder, Holder.id == Message.holder_id)
    words = words.where(Message.match_id == match.id, Message.ply != messages.HELD)
    words = words.where(Holder.player_id.not_in(mutes.of(holder.player_id)))
    newest = ctx.session.execute(words.order_by(Message.id.desc()).limit(most)).all()
    return [
        Said(message.id, message.seat, name, message.text, message.at, message.holder_id == holder.id)
        for message, name in reversed(newest)
    ]


def message(ctx: Context, match: Match, number: int) -> Message | None:
    """Find something that was said at a table."""
    found = ctx.session.get(Message, number)
    return found if found and found.match_id == match.id and found.ply != messages.HELD else None


def _just_said(ctx: Context, holder: Holder, text: str) -> bool:
    own = Message.holder_id == holder.id, Message.at > ctx.now - AGAIN
    last = ctx.session.scalar(select(Message.text).where(*own).order_by(Message.id.desc()).limit(1))
    return last == text
