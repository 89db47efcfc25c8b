"""Webhook delivery: makes the calls that are due, retries those that fail, and disables webhooks that fail for days."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from pbem.db.models import Match, SeatHolder, Webhook, WebhookDelivery
from pbem.db.session import send_after_commit
from pbem.db.worker_lock import try_lock
from pbem.i18n import use_locale
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.core.context import transaction
from pbem.play.notifications import chat_forms, chat_messages, outbox, webhook_client
from pbem.play.notifications.delivery_batches import (
    BATCH_SIZE,
    DISABLE_AFTER,
    EXPIRED,
    LEASE,
    deliver_all,
    is_turn_open,
)
from pbem.play.notifications.webhook_client import CallError
from pbem.play.notifications.webhooks import DELIVER_TASK, TURN
from pbem.states import DeliveryState, WebhookForm

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.core.context import Context

_LOCK_ID = 8251


@dataclass(frozen=True, slots=True)
class _DueCall:
    call: str
    url: str
    secret: bytes
    body: bytes
    language: str


def deliver_due_calls(engine: Engine, config: Config) -> int:
    """Make the calls that are due, in one worker at a time; returns how many succeeded.

    So slow receivers occupy at most one worker.
    """
    made = 0
    with try_lock(engine, _LOCK_ID) as mine:
        while mine and (batch := _claim(engine, config)):
            failures = deliver_all(partial(_try_call, config), batch)
            with transaction(engine, config) as ctx:
                for due, failure in zip(batch, failures, strict=True):
                    _record_result(ctx, due.call, failure)
            made += sum(failure is None for failure in failures)
    return made


def sweep(ctx: Context, overlooked: datetime) -> None:
    """Enqueue the task if calls are overdue, and disable the webhooks that have failed for too long."""
    due = WebhookDelivery.state == DeliveryState.PENDING, WebhookDelivery.due_at < overlooked
    if ctx.session.scalar(select(WebhookDelivery.id).where(*due).limit(1)):
        send_after_commit(ctx.session, DELIVER_TASK)
    failing = select(Webhook).where(Webhook.failing_since < ctx.now - DISABLE_AFTER, Webhook.disabled_at.is_(None))
    for webhook in ctx.session.scalars(failing.with_for_update(key_share=True, skip_locked=True)):
        _disable(ctx, webhook)


def _claim(engine: Engine, config: Config) -> list[_DueCall]:
    """Claim due calls for the next minute; those that are no longer true are marked as failed."""
    with transaction(engine, config) as ctx:
        due = (
            select(WebhookDelivery, Webhook, SeatHolder, Match)
            .join(Webhook, Webhook.id == WebhookDelivery.webhook_id)
            .join(SeatHolder, SeatHolder.id == Webhook.holder_id)
            .join(Match, Match.id == SeatHolder.match_id)
            .where(WebhookDelivery.state == DeliveryState.PENDING, WebhookDelivery.due_at <= ctx.now)
            .order_by(WebhookDelivery.due_at, WebhookDelivery.id)
            .limit(BATCH_SIZE)
            .with_for_update(of=WebhookDelivery, key_share=True)
        )
        batch = []
        for call, webhook, holder, match in ctx.session.execute(due):
            if _is_still_true(call, holder, match):
                call.due_at = ctx.now + LEASE
                url, body = chat_messages.request(ctx, call, webhook, holder, match)
                batch.append(_DueCall(call.id, url, webhook.secret, body, holder.player.language))
            else:
                call.state, call.error, call.finished_at = DeliveryState.FAILED, EXPIRED, ctx.now
        return batch


def _is_still_true(call: WebhookDelivery, holder: SeatHolder, match: Match) -> bool:
    event: dict[str, Any] = json.loads(call.body)
    if holder.left_at is not None:
        return False
    if event["type"] != TURN:
        return True
    return is_turn_open(match, holder, event["data"]["ply"])


def _try_call(config: Config, due: _DueCall) -> CallError | None:
    signature = webhook_client.signature_headers(due.secret, due.call, due.body, datetime.now(UTC))
    try:
        with use_locale(due.language):
            webhook_client.call(config, due.url, due.body, signature)
    except CallError as failure:
        return failure
    return None


def _record_result(ctx: Context, call_id: str, failure: CallError | None) -> None:
    """Record the result of a call: made, to be retried, or given up."""
    call = ctx.session.get(WebhookDelivery, call_id, with_for_update={"key_share": True})
    if call is None or call.state != DeliveryState.PENDING:
        # The owner has removed the webhook meanwhile.
        return
    # The key is not locked, so that moves that enqueue further calls need not wait.
    webhook = ctx.session.get_one(Webhook, call.webhook_id, with_for_update={"key_share": True})
    if failure is None:
        call.state, call.error, call.finished_at = DeliveryState.DELIVERED, None, ctx.now
        webhook.failing_since = webhook.last_error = None
        return
    call.error = webhook.last_error = str(failure)
    webhook.failing_since = webhook.failing_since or ctx.now
    if failure.refused and webhook.form is not WebhookForm.JSON:
        # Its form or its address has changed there: no later call would be taken either.
        _disable(ctx, webhook)
    elif call.attempts >= len(RETRY_DELAYS):
        call.state, call.finished_at = DeliveryState.FAILED, ctx.now
    else:
        call.due_at = ctx.now + RETRY_DELAYS[call.attempts]
        call.attempts += 1


def _disable(ctx: Context, webhook: Webhook) -> None:
    """Disable a webhook, and notify its owner once."""
    webhook.disabled_at = ctx.now
    pending = WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.state == DeliveryState.PENDING
    ctx.session.execute(update(WebhookDelivery).where(*pending).values(state=DeliveryState.FAILED, finished_at=ctx.now))
    holder = ctx.session.get_one(SeatHolder, webhook.holder_id)
    match = ctx.session.get_one(Match, holder.match_id)
    since = (webhook.failing_since or ctx.now).isoformat()
    facts = outbox.match_facts(ctx, match, holder)
    service = "" if webhook.form is WebhookForm.JSON else chat_forms.NAMES[webhook.form]
    facts |= {"url": webhook.url, "why": webhook.last_error, "failing_since": since, "service": service}
    once = f"webhook ended {webhook.id} {since}"
    outbox.enqueue(ctx, "webhook ended", holder, match, facts, once=once)
