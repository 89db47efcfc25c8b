"""Outbox of mails: messages are enqueued in the transaction that makes them due.

A message's facts are all that its mail is rendered from, so that it reads the same whenever it is sent. Whether it is
still true is checked again before sending.
"""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.boards import Turn, drawing_for
from pbem.db import pending_rows
from pbem.db.models import Match, OutboxMessage
from pbem.db.session import call_after_commit, send_after_commit
from pbem.games import Seat
from pbem.play.clocks import clock_pauses
from pbem.play.conditional_moves import played_for_seat, robot_moves
from pbem.play.core import match_features, player_events, tokens
from pbem.play.core.message_kinds import delivery_rules
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import pairs
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names, render_before_start, render_position, robot_levels
from pbem.play.notifications import page_use, push_messages, webhooks
from pbem.play.offers import open_offers
from pbem.play.players import digest_schedule, preferences, reachability, suppressions, unsubscribes
from pbem.states import MatchState
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

log = logging.getLogger(__name__)

SHARD_COUNT = 4
"""Number of shards; only one relay at a time sends the mails of a shard, so a recipient's mails stay in order."""

RELAY_TASK = "deliver_mail"
"""Name of the task that sends a shard's messages."""

MAX_MOVES_PER_MAIL = 40
"""Maximum legal moves that a mail lists; the page lists them all."""

_ID_BITS = 120
_INSERT = pending_rows.insert_into(
    OutboxMessage,
    key="idempotency_key",
    defaults=("id", "render_preferences", "state", "attempts", "finished_at", "error"),
)


def enqueue(
    ctx: Context,
    kind: str,
    holder: SeatHolder,
    match: Match,
    facts: dict[str, Any],
    *,
    once: str,
    ply: int | None = None,
    answers: str | None = None,
    recipient: str | None = None,
    due_at: datetime | None = None,
) -> None:
    """Enqueue a mail to the player in a seat; `once` is the idempotency key.

    `answers` is the Message-ID of the mail that this one answers, `recipient` another address of the player than the
    usual one, `due_at` when the mail is sent, if not at once. Mails that the player has opted out of are not enqueued.
    A turn mail that answers no mail waits for the player's next digest, or for some minutes while the page of the seat
    is in use, or while a device is notified in its place.
    """
    stage = tokens.current_ply(ctx, match, holder) if ply is None else ply
    features = match_features.load(ctx, match.id)
    if features.webhooks:
        webhooks.enqueue(ctx, kind, holder, match, stage)
    player_events.record_for_mail(ctx, kind, match, holder, facts, stage, once=once)
    timing: dict[str, Any] = {}
    if digest_schedule.is_deferrable(holder.player, kind, answers):
        timing["digest"], due_at = True, digest_schedule.next_digest(holder.player, ctx.now)
    elif kind == "turn" and not answers and (due_at := page_use.held_until(ctx, holder)):
        timing["held"] = True
    if features.pushes and kind == "turn" and not answers:
        replaceable = not facts.get("first")
        waits = push_messages.enqueue(ctx, holder, match, stage, once=once, due_at=due_at, is_replaceable=replaceable)
        if waits:
            timing["held"], due_at = True, waits
    if not (recipient or holder.email) or not preferences.wants_kind(ctx, holder, kind):
        # A deleted player has no address, nor has a guest.
        return
    facts = {"seat": holder.seat, "name": holder.name, "game": match.game, "match": match.id} | facts
    facts |= {"head": match.chain_head.hex(), "commitment": match.commitment.hex()}
    if features.unreachable:
        facts |= reachability.facts(ctx, match)
    if features.away:
        facts |= clock_pauses.facts(ctx, match)
    _enqueue(
        ctx,
        kind,
        recipient or holder.email,
        facts | timing,
        once=once,
        ply=stage,
        answers=answers,
        match_id=match.id,
        holder=holder,
        due_at=due_at,
    )


def enqueue_mail(
    ctx: Context, kind: str, recipient: str, facts: dict[str, Any], *, once: str, answers: str | None = None
) -> None:
    """Enqueue a mail to an address; a guest has none, and gets none."""
    if recipient:
        _enqueue(ctx, kind, recipient, facts, once=once, answers=answers)


def _enqueue(
    ctx: Context,
    kind: str,
    recipient: str,
    facts: dict[str, Any],
    *,
    once: str,
    ply: int | None = None,
    answers: str | None = None,
    match_id: str | None = None,
    holder: SeatHolder | None = None,
    due_at: datetime | None = None,
) -> None:
    shard = shard_of(recipient)
    message_id = f"<{_random_id(ctx)}@{ctx.config.mail_domain}>"
    facts = {"key": tokens.key_id(ctx.config.secret_keys[-1])} | facts
    row = {
        "kind": kind,
        "recipient": recipient,
        "match_id": match_id,
        "holder_id": holder and holder.id,
        "ply": ply,
        "idempotency_key": once,
        "message_id": message_id,
        "return_path_hash": tokens.hash_token(tokens.bounce_token(ctx, message_id, facts["key"])),
        "in_reply_to": answers,
        "render_data": facts,
        "shard": shard,
        "created_at": ctx.now,
        "due_at": due_at or ctx.now,
    }
    if holder is not None:
        tokens.issue(ctx, holder, ply or 0)
    with logs.bound_fields(match=match_id):
        pending_rows.add(ctx.session, _INSERT, row, partial(_log_enqueued, ctx, kind))
    if due_at is None:
        send_after_commit(ctx.session, RELAY_TASK, shard)


def _log_enqueued(ctx: Context, kind: str, number: int) -> None:
    with logs.bound_fields(notice=number):
        call_after_commit(ctx.session, log.info, "mail enqueued: %s", kind)


def shard_of(recipient: str) -> int:
    """Return the shard of a recipient."""
    return sum(recipient.encode()) % SHARD_COUNT


def match_facts(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts of a match for a mail, begun or not."""
    if match.seed is None:
        return unstarted_facts(ctx, match, holder)
    return position_facts(ctx, load_match(ctx, match), holder)


def position_facts(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts of a position for a mail: the player's View and what happened since their last move."""
    due, ends = turn_deadlines.due_and_grace_end(ctx, course.match, holder)
    times = {name: time.isoformat() for name, time in (("due", due), ("ends", ends)) if time}
    may_have_played = match_features.load(ctx, course.match.id).automatic and not holder.player.is_robot
    played = played_for_seat.automatic_moves(ctx, holder) if may_have_played else []
    facts = view_facts(course, Seat(holder.seat), player_names(ctx, course.match), len(played))
    late = robot_moves.late_seats(ctx, course, holder.seat)
    postponed = [[seat, at.isoformat()] for seat, at in robot_moves.postponed_seats(ctx, course.match).items()]
    seen = ("automatic", played), ("late", late), ("postponed", postponed)
    more = {name: value for name, value in seen if value}
    return facts | times | _robot_facts(ctx, course.match) | _pair_facts(ctx, course.match) | more


def view_facts(course: LoadedMatch, seat: Seat, names: tuple[str, ...], automatic: int = 0) -> dict[str, Any]:
    """Return what a seat sees of a position, for a mail; `automatic` of its last moves were not made by its player."""
    view = render_position(course, seat, names)
    log, moves = view["log"], view["moves"]
    last = drawing_for(course.match.game).last_entries(Turn(view["to_move"], log))
    view["moves_are_all"] = view["moves_are_all"] and len(moves) <= MAX_MOVES_PER_MAIL
    suggestions = course.game.suggest(course.position, seat) if seat in view["to_move"] else ()
    return {
        "view": view | {"moves": moves[:MAX_MOVES_PER_MAIL], "log": [*last]},
        "news": log[_last_own_turn(course, seat, automatic) :],
        "suggestions": list(suggestions),
        "names": list(names),
    }


def unstarted_facts(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts of a match that has not begun, for a mail."""
    names = player_names(ctx, match)
    facts = {"view": render_before_start(match, Seat(holder.seat), names), "names": list(names)}
    return facts | _robot_facts(ctx, match) | _pair_facts(ctx, match)


def _robot_facts(ctx: Context, match: Match) -> dict[str, Any]:
    robots = robot_levels(ctx, match)
    return {"robots": [*robots.items()]} if robots else {}


def _pair_facts(ctx: Context, match: Match) -> dict[str, Any]:
    pair = pairs.facts(ctx, match)
    return {"pair": pair} if pair else {}


def is_still_true(match: Match, message: OutboxMessage) -> bool:
    """Return whether a message is still true when it is about to be sent."""
    # A receipt, and the first mail of a match, say more than whose turn it is.
    says_more = message.render_data.get("played") or message.render_data.get("first")
    if says_more or not delivery_rules(message.kind).expires_with_turn:
        return True
    awaited = message.render_data.get("whose", message.render_data["seat"])
    return match.state == MatchState.RUNNING and (message.ply or 0) >= match.ply and awaited in match.to_move


def find_skip_reason(ctx: Context, message: OutboxMessage) -> str | None:
    """Return why a message must not be sent now; None if it may be."""
    return skip_reason(ctx, message, suppressions.suppression_reason(ctx, message.recipient))


def skip_reason(ctx: Context, message: OutboxMessage, suppressed: str | None) -> str | None:
    """Return the same where the suppression of its address is known already."""
    match = ctx.session.get(Match, message.match_id) if message.match_id else None
    if match is not None and not (is_still_true(match, message) and _is_offer_open(ctx, match, message)):
        return "no longer true"
    if message.kind == "due soon" and datetime.fromisoformat(message.render_data["due"]) <= ctx.now:
        # The time has run out, which has a mail of its own.
        return "too late"
    if message.holder is not None and message.holder.left_at is not None and message.holder.leave_reason:
        # Enqueued before they left the seat.
        return "another player has the seat now"
    if message.holder is not None and unsubscribes.is_stopped(message.holder, message.kind, message.in_reply_to):
        return "the player has unsubscribed from this match"
    rules = delivery_rules(message.kind)
    is_requested = message.in_reply_to is not None or rules.is_requested or rules.protects_account
    if suppressed is None or (suppressed == unsubscribes.UNSUBSCRIBED and is_requested):
        return None
    return f"the address is suppressed: {suppressed}"


def _is_offer_open(ctx: Context, match: Match, message: OutboxMessage) -> bool:
    """Return whether an offer still waits for the seat's answer; True for messages that are not about an offer."""
    if message.kind != "offer":
        return True
    offer = open_offers.by_kind(ctx, match).get(message.render_data["offer"])
    return offer is not None and message.render_data["seat"] not in offer.agreed


def _last_own_turn(course: LoadedMatch, seat: int, automatic: int) -> int:
    """Return the index in the log where the stage of a seat's last own move began; 0 without one."""
    own = [stage for mover, stage in course.turns if mover == seat]
    own = own[: max(len(own) - automatic, 0)]
    return next((at for at, (_, stage) in enumerate(course.turns) if own and stage == own[-1]), 0)


def _random_id(ctx: Context) -> str:
    return tokens.base32(int.from_bytes(ctx.draw(_ID_BITS // 8), "big"), _ID_BITS // 5)
