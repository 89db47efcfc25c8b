"""Receipts of moves sent by mail: a mail about the next turn stands for one, where there is one.

While only robots are to move, and think, a receipt is held for a moment, so that one mail says what they played too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db import conditions
from pbem.db.models import OutboxMessage
from pbem.play.conditional_moves import plan_store, robot_moves
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import turn_mails
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.states import MatchState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.db.models import Match
    from pbem.play.core.context import Context

HOLD = timedelta(seconds=10)
"""Time for which a receipt is held while robots think."""
_MARGIN = timedelta(seconds=1)
"""Time before a held receipt is due in which it is left to be sent."""


@dataclass(frozen=True, slots=True)
class HeldReceipts:
    """Receipts of a match that are held: the mail that each answers, and what it says, by seat."""

    messages: tuple[OutboxMessage, ...]
    answers: dict[int, str]
    played: dict[str, Any]


def merge(ctx: Context, match: Match, answers: dict[int, str], played: dict[str, Any]) -> None:
    """Merge a receipt with the mail about the next turn, in a fork where one person has several seats."""
    if match.forked_from_id is None or not answers:
        return
    mailed, players = turn_mails.seats_to_mail(ctx, match), {one.seat: one.player_id for one in holders(ctx, match)}
    for seat in [*answers]:
        following = next((other for other in mailed - {*answers} if players[other] == players[seat]), None)
        if seat not in mailed and following is not None:
            answers[following], played[str(following)] = answers.pop(seat), played.pop(str(seat))


def enqueue(ctx: Context, match: Match, answers: dict[int, str], played: dict[str, Any]) -> None:
    """Enqueue a receipt for each move sent by mail whose player gets no other mail about it."""
    if not answers or match.state == MatchState.OVER:
        return
    course = load_match(ctx, match)
    due_at = ctx.now + HOLD if _is_answered_soon(ctx, match) else None
    for holder in holders(ctx, match):
        if holder.seat in answers:
            facts = outbox.position_facts(ctx, course, holder) | played[str(holder.seat)]
            facts["coming"] = holder.seat in match.to_move
            if match_features.load(ctx, match.id).plans:
                facts |= plan_store.facts(ctx, course, holder)
            mail = answers[holder.seat]
            once = f"receipt {match.id} {holder.id} {mail}"
            outbox.enqueue(ctx, "receipt", holder, match, facts, once=once, answers=mail, due_at=due_at)


def find_held(ctx: Context, match: Match) -> HeldReceipts:
    """Return the receipts of a match that are held."""
    held = select(OutboxMessage).where(
        OutboxMessage.match_id == match.id,
        OutboxMessage.kind == "receipt",
        OutboxMessage.state == conditions.member(OutboxState.PENDING),
        OutboxMessage.due_at > ctx.now + _MARGIN,
    )
    messages = tuple(ctx.session.scalars(held))
    answers = {message.render_data["seat"]: message.in_reply_to or "" for message in messages}
    played = {
        str(message.render_data["seat"]): {name: message.render_data.get(name) for name in ("played", "wrote")}
        for message in messages
    }
    return HeldReceipts(messages, answers, played)


def drop(ctx: Context, match: Match, held: HeldReceipts, mailed: Collection[int]) -> None:
    """Delete the held receipts of those who were mailed since, or of all if the match is over."""
    for message in held.messages:
        if match.state == MatchState.OVER or message.render_data["seat"] in mailed:
            ctx.session.delete(message)


def _is_answered_soon(ctx: Context, match: Match) -> bool:
    """Return whether only robots are to move, which think and will soon have moved."""
    present = {holder.seat: holder for holder in holders(ctx, match)}
    if not any(robot_moves.is_thinking(match, present[seat]) for seat in match.to_move):
        return False
    latest = ctx.now + robot_moves.MAX_WAIT
    rows = turn_deadlines.for_match(ctx, match)
    return all(row.robot_moves_at is not None and row.robot_moves_at <= latest for row in rows)
