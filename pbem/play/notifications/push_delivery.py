"""Push delivery: sends the messages that are due, retries those that fail, and forgets devices that are gone."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Match, OutboxMessage, Player, PushMessage, PushSubscription, SeatHolder
from pbem.db.session import call_after_commit, send_after_commit
from pbem.db.worker_lock import try_lock
from pbem.i18n import use_locale
from pbem.play.clocks.calculation import skip_night
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.core.context import transaction
from pbem.play.deadlines.turn_deadlines import availability_of
from pbem.play.notifications import push_client, push_messages, push_subscriptions
from pbem.play.notifications.delivery_batches import (
    BATCH_SIZE,
    DISABLE_AFTER,
    EXPIRED,
    LEASE,
    deliver_all,
    is_turn_open,
)
from pbem.play.notifications.push_client import Device, PushError
from pbem.states import DeliveryState, OutboxState

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

MAIL_REPLACED = "a push service accepted the notification"
"""Why a mail was not sent."""

_LOCK_ID = 8252


@dataclass(frozen=True, slots=True)
class _DueMessage:
    number: int
    device: Device
    payload: bytes
    topic: str
    language: str


def deliver_due_messages(engine: Engine, config: Config) -> int:
    """Send the messages that are due, in one worker at a time; returns how many were accepted."""
    accepted = 0
    with try_lock(engine, _LOCK_ID) as mine:
        while mine and (claimed := _claim(engine, config)) is not None:
            failures = deliver_all(partial(_try_send, config), claimed)
            for due, failure in zip(claimed, failures, strict=True):
                with transaction(engine, config) as ctx:
                    _record_result(ctx, due.number, failure)
            accepted += sum(failure is None for failure in failures)
    return accepted


def sweep(ctx: Context, overlooked: datetime) -> None:
    """Enqueue the task if messages are overdue, and disable the devices that have failed for too long."""
    due = PushMessage.state == DeliveryState.PENDING, PushMessage.due_at < overlooked
    if ctx.session.scalar(select(PushMessage.id).where(*due).limit(1)):
        send_after_commit(ctx.session, push_subscriptions.DELIVER_TASK)
    failing = PushSubscription.failing_since < ctx.now - DISABLE_AFTER, PushSubscription.disabled_at.is_(None)
    locked = select(PushSubscription).where(*failing).with_for_update(skip_locked=True)
    for subscription in ctx.session.scalars(locked):
        _disable(ctx, subscription)


def _claim(engine: Engine, config: Config) -> list[_DueMessage] | None:
    """Claim due messages for the next minute, and fail those that are no longer true; None if nothing was due."""
    with transaction(engine, config) as ctx:
        due = (
            select(PushMessage, PushSubscription, Player, SeatHolder, Match)
            .join(PushSubscription, PushSubscription.id == PushMessage.subscription_id)
            .join(Player, Player.id == PushSubscription.player_id)
            .outerjoin(SeatHolder, SeatHolder.id == PushMessage.holder_id)
            .outerjoin(Match, Match.id == SeatHolder.match_id)
            .where(PushMessage.state == DeliveryState.PENDING, PushMessage.due_at <= ctx.now)
            .order_by(PushMessage.due_at, PushMessage.id)
            .limit(BATCH_SIZE)
            .with_for_update(of=PushMessage, skip_locked=True)
        )
        rows = ctx.session.execute(due).all()
        claimed = [_prepare(ctx, *row) for row in rows]
    return [one for one in claimed if one] if rows else None


def _prepare(
    ctx: Context,
    message: PushMessage,
    subscription: PushSubscription,
    player: Player,
    holder: SeatHolder | None,
    match: Match | None,
) -> _DueMessage | None:
    if match is None or holder is None:
        payload, topic = push_messages.test_payload(player), push_messages.TEST_TOPIC
    elif not _is_turn_open(message, holder, match, player):
        message.state, message.error, message.finished_at = DeliveryState.FAILED, EXPIRED, ctx.now
        return None
    elif (morning := skip_night(ctx.now, availability_of(player))) > ctx.now:
        message.due_at = morning
        return None
    else:
        payload, topic = push_messages.turn_payload(ctx, player, holder, match, match.ply), match.id
    message.due_at = ctx.now + LEASE
    device = Device(subscription.endpoint, subscription.public_key, subscription.secret, subscription.signed_by)
    return _DueMessage(message.id, device, payload, topic, player.language)


def _is_turn_open(message: PushMessage, holder: SeatHolder, match: Match, player: Player) -> bool:
    """Return whether it is still the turn of the seat, and still this player's seat."""
    if holder.left_at is not None or holder.player_id != player.id or holder.mail_stopped_at is not None:
        return False
    return message.ply is not None and is_turn_open(match, holder, message.ply)


def _try_send(config: Config, due: _DueMessage) -> PushError | None:
    try:
        with use_locale(due.language):
            push_client.send(config, due.device, due.payload, due.topic, datetime.now(UTC))
    except PushError as failure:
        return failure
    except Exception as fault:
        # No error may stop the rest of the batch.
        log.exception("could not compose push message %s", due.number)
        return PushError(repr(fault), is_refused=True)
    return None


def _record_result(ctx: Context, number: int, failure: PushError | None) -> None:
    """Record the result of a message: accepted, to be retried, or given up."""
    its_device = select(PushSubscription).join(PushMessage, PushMessage.subscription_id == PushSubscription.id)
    # The key is not locked, so that moves that enqueue further messages need not wait.
    subscription = ctx.session.scalar(
        its_device.where(PushMessage.id == number).with_for_update(of=PushSubscription, key_share=True)
    )
    message = ctx.session.get(PushMessage, number, with_for_update=True)
    if subscription is None or message is None or message.state != DeliveryState.PENDING:
        # The player has forgotten the device meanwhile.
        return
    if failure is None:
        message.state, message.error, message.finished_at = DeliveryState.DELIVERED, None, ctx.now
        subscription.used_at, subscription.failing_since, subscription.last_error = ctx.now, None, None
        _drop_mail(ctx, message)
        return
    if failure.is_gone:
        push_subscriptions.forget(ctx, PushSubscription.id == subscription.id)
        return
    message.error = subscription.last_error = str(failure)
    subscription.failing_since = subscription.failing_since or ctx.now
    if failure.is_refused or message.attempts >= len(RETRY_DELAYS):
        message.state, message.finished_at = DeliveryState.FAILED, ctx.now
        push_subscriptions.release_mails(ctx, [message.mail_key] if message.mail_key else [])
    else:
        message.due_at = ctx.now + max(RETRY_DELAYS[message.attempts], failure.retry_after or timedelta())
        message.attempts += 1


def _drop_mail(ctx: Context, message: PushMessage) -> None:
    """Drop the mail that a message replaces, unless it was sent meanwhile."""
    if message.mail_key is None:
        return
    # The mail was never sent, so its facts, which may hold hands, need not be stored.
    done = {"state": OutboxState.DROPPED, "error": MAIL_REPLACED, "finished_at": ctx.now, "render_data": {}}
    pending = OutboxMessage.idempotency_key == message.mail_key, OutboxMessage.state == OutboxState.PENDING
    dropped = update(OutboxMessage).where(*pending).values(done).returning(OutboxMessage.id)
    for mail in ctx.session.scalars(dropped):
        call_after_commit(ctx.session, log.info, "mail %s dropped: %s", mail, MAIL_REPLACED)


def _disable(ctx: Context, subscription: PushSubscription) -> None:
    """Stop notifying a device; its page says so, and mail comes instead."""
    subscription.disabled_at = ctx.now
    pending = PushMessage.subscription_id == subscription.id, PushMessage.state == DeliveryState.PENDING
    failed = update(PushMessage).where(*pending).values(state=DeliveryState.FAILED, finished_at=ctx.now)
    keys = [key for key in ctx.session.scalars(failed.returning(PushMessage.mail_key)) if key]
    push_subscriptions.release_mails(ctx, keys)
