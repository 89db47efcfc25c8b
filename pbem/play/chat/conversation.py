"""Chat of a match, read only by its players and no part of the record: send a message, and list all messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Integer, bindparam, select

from pbem.db.models import ChatMessage, SeatHolder
from pbem.play.chat import messages
from pbem.play.core import match_features
from pbem.play.core.context import timestamp
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match
from pbem.play.moderation import mutes
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_MESSAGES_SHOWN = 200
"""Maximum messages on a page, the newest ones."""
DUPLICATE_WINDOW = timedelta(minutes=10)
"""Time in which the same message again counts as a button pressed twice."""


_NEWEST_VISIBLE = (
    select(ChatMessage, SeatHolder.name)
    .join(SeatHolder, SeatHolder.id == ChatMessage.holder_id)
    .where(
        ChatMessage.match_id == bindparam("match"),
        ChatMessage.ply != messages.HELD_PLY,
        SeatHolder.player_id.not_in(mutes.select_muted(bindparam("player"))),
    )
    .order_by(ChatMessage.id.desc())
    .limit(bindparam("most", type_=Integer))
)


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A chat message, or a comment on a step of a match; `own` is whether the reader wrote it."""

    number: int
    seat: int
    name: str
    text: str
    at: datetime
    own: bool


def post(ctx: Context, match: Match, holder: SeatHolder, text: str, submission: str | None = None) -> bool:
    """Send a message and enqueue mails to the other players; return False if its sender has reached the daily limit."""
    if submission is None:
        recent = ChatMessage.holder_id == holder.id, ChatMessage.sent_at > ctx.now - DUPLICATE_WINDOW
        last = select(ChatMessage.text).where(*recent).order_by(ChatMessage.id.desc()).limit(1)
        if ctx.session.scalar(last) == text:
            return True
    if not messages.store(ctx, match, holder, text, submission):
        return False
    course = load_match(ctx, match)
    for other in other_players(ctx, match, holder):
        if holder.player_id not in mutes.muted_ids(ctx, other.player_id):
            facts = outbox.position_facts(ctx, course, other) | {"talk": messages.unmailed(ctx, match, other)}
            once = f"said {match.id} {other.id} {submission or timestamp(ctx.now)}"
            outbox.enqueue(ctx, "said", other, match, facts, once=once)
    return True


def other_players(ctx: Context, match: Match, holder: SeatHolder) -> list[SeatHolder]:
    """List the other players of a match."""
    present = seats.distinct_players(seats.holders(ctx, match))
    return [other for other in present if other.player_id != holder.player_id]


def other_people(ctx: Context, match: Match, holder: SeatHolder) -> list[SeatHolder]:
    """List the other players of a match who are no robots."""
    return [other for other in other_players(ctx, match, holder) if not other.player.is_robot]


def split_name(others: Sequence[SeatHolder], text: str) -> tuple[SeatHolder | None, str]:
    """Return the player with whose name a text begins, or None, and the text after it."""
    for other in sorted(others, key=lambda other: -len(other.name)):
        front, rest = text[: len(other.name)], text[len(other.name) :]
        if front.casefold() == other.name.casefold() and not rest[:1].isalnum():
            return other, rest.lstrip(" ,.:;-–").strip()
    return None, text


def has_readers(ctx: Context, match: Match, holder: SeatHolder) -> bool:
    """Return whether anybody else at the table can read what a player writes; robots cannot."""
    return bool(other_people(ctx, match, holder))


def visible_messages(
    ctx: Context, match: Match, holder: SeatHolder, most: int = MAX_MESSAGES_SHOWN
) -> Sequence[ChatLine]:
    """List the messages of a match that a player sees, oldest first."""
    if not match_features.load(ctx, match.id).chat:
        return []
    reader = {"match": match.id, "player": holder.player_id, "most": most}
    newest = ctx.session.execute(_NEWEST_VISIBLE, reader).all()
    return [
        ChatLine(message.id, message.seat, name, message.text, message.sent_at, message.holder_id == holder.id)
        for message, name in reversed(newest)
    ]


def find_message(ctx: Context, match: Match, number: int) -> ChatMessage | None:
    """Return a message of a match by its number, or None."""
    found = ctx.session.get(ChatMessage, number)
    return found if found and found.match_id == match.id and found.ply != messages.HELD_PLY else None
