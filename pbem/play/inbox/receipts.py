"""Receipts of moves sent by mail: a mail about the next turn stands for one, where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.conditional_moves import plan_store
from pbem.play.core import match_features
from pbem.play.lifecycle import turn_mails
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context


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
    for holder in holders(ctx, match):
        if holder.seat in answers:
            facts = outbox.position_facts(ctx, course, holder) | played[str(holder.seat)]
            facts["coming"] = holder.seat in match.to_move
            if match_features.load(ctx, match.id).plans:
                facts |= plan_store.facts(ctx, course, holder)
            mail = answers[holder.seat]
            once = f"receipt {match.id} {holder.id} {mail}"
            outbox.enqueue(ctx, "receipt", holder, match, facts, once=once, answers=mail)
