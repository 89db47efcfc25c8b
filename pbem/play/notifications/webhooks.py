"""Webhooks: URLs of a player's own programs to call about a match; calls are rows, like outbox messages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import SeatHolder, Webhook, WebhookDelivery
from pbem.db.session import send_after_commit
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_HOUR, Limit, hit
from pbem.play.notifications import chat_forms
from pbem.play.notifications.webhook_urls import parse_url, resolve_host
from pbem.states import DeliveryState, WebhookForm

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

DELIVER_TASK = "deliver_webhooks"
"""Name of the task that makes the calls that are due."""

TURN, ENDED, TEST = "turn", "ended", "test"
EVENTS = {"turn": TURN, "final": ENDED}
"""Kinds of mail that also call webhooks, and the event they send."""

MAX_PER_SEAT = 3
"""Maximum webhooks per seat."""
MAX_TESTS_PER_HOUR = 10
"""Maximum tests and retries per seat and hour."""

_SECRET_BYTES = 32
_ID_BITS = 100

_ACTIVE = select(Webhook).where(Webhook.holder_id == bindparam("holder"), Webhook.disabled_at.is_(None))


def enqueue(ctx: Context, kind: str, holder: SeatHolder, match: Match, ply: int) -> None:
    """Enqueue the calls that go with a mail, in its transaction; each only once."""
    event = EVENTS.get(kind)
    if event is None:
        return
    for webhook in ctx.session.scalars(_ACTIVE, {"holder": holder.id}):
        _enqueue_call(ctx, event, webhook, holder, match, ply, f"{event} {webhook.id} {ply if event == TURN else ''}")


def for_seat(ctx: Context, holder: SeatHolder) -> list[Webhook]:
    """List a seat's webhooks, oldest first."""
    theirs = select(Webhook).where(Webhook.holder_id == holder.id)
    return list(ctx.session.scalars(theirs.order_by(Webhook.created_at, Webhook.id)))


def count_pending(ctx: Context, webhooks: list[Webhook]) -> dict[str, int]:
    """Count the pending calls of some webhooks."""
    pending = (
        WebhookDelivery.webhook_id.in_([one.id for one in webhooks]),
        WebhookDelivery.state == DeliveryState.PENDING,
    )
    counted = select(WebhookDelivery.webhook_id, func.count()).where(*pending).group_by(WebhookDelivery.webhook_id)
    return {row[0]: row[1] for row in ctx.session.execute(counted)}


def add(ctx: Context, holder: SeatHolder, url: str, form: WebhookForm = WebhookForm.JSON, mention: str = "") -> Webhook:
    """Add a webhook to a seat; raises Refused, also for a URL that must not be called."""
    url, mention = url.strip(), mention.strip()
    _check_can_add(ctx, holder, url)
    target = parse_url(url)
    chat_forms.check(form, target, mention)
    resolve_host(ctx.config, target)
    # Check again under a lock, for a concurrent form; nobody waits for it during the DNS lookup.
    ctx.session.execute(select(SeatHolder.id).where(SeatHolder.id == holder.id).with_for_update(key_share=True))
    _check_can_add(ctx, holder, url)
    webhook = Webhook(
        id=_random_id(ctx),
        holder_id=holder.id,
        url=url,
        form=form,
        mention=mention,
        secret=ctx.draw(_SECRET_BYTES),
        created_at=ctx.now,
    )
    ctx.session.add(webhook)
    ctx.session.flush()
    return webhook


def _check_can_add(ctx: Context, holder: SeatHolder, url: str) -> None:
    present = for_seat(ctx, holder)
    if len(present) >= MAX_PER_SEAT:
        raise Refused(_("You already have {most} here, the maximum.", most=MAX_PER_SEAT))
    if any(one.url == url for one in present):
        raise Refused(_("This URL is already called."))


def remove(ctx: Context, webhook: Webhook) -> None:
    """Delete a webhook and its calls."""
    ctx.session.execute(delete(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook.id))
    ctx.session.delete(webhook)


def send_test(ctx: Context, webhook: Webhook, holder: SeatHolder, match: Match) -> None:
    """Enqueue a test call; raises Refused beyond the limit."""
    _check_rate_limit(ctx, holder)
    _enqueue_call(ctx, TEST, webhook, holder, match, match.ply, f"{TEST} {webhook.id} {timestamp(ctx.now)}")


def retry(ctx: Context, webhook: Webhook, holder: SeatHolder) -> None:
    """Retry failed calls now, and enable a webhook that was disabled; raises Refused beyond the limit."""
    _check_rate_limit(ctx, holder)
    webhook.disabled_at = None
    if webhook.failing_since:
        # The owner has intervened: the days until it is disabled start anew.
        webhook.failing_since = ctx.now
    failed = WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.state != DeliveryState.DELIVERED
    anew = {"state": DeliveryState.PENDING, "due_at": ctx.now, "attempts": 0, "finished_at": None}
    ctx.session.execute(update(WebhookDelivery).where(*failed).values(anew))
    send_after_commit(ctx.session, DELIVER_TASK)


def _check_rate_limit(ctx: Context, holder: SeatHolder) -> None:
    if hit(ctx, Limit("webhook tried", str(holder.id), MAX_TESTS_PER_HOUR, SECONDS_PER_HOUR)):
        raise Refused(_("Too many tries. Try again in an hour."))


def _enqueue_call(
    ctx: Context, event: str, webhook: Webhook, holder: SeatHolder, match: Match, ply: int, once: str
) -> None:
    # Nothing hidden: a third party who reads it learns only that there is a turn, and where.
    url = f"{ctx.config.base_url}/mine/{match.id}"
    data = {"match": match.id, "game": match.game, "seat": holder.seat, "ply": ply, "url": url}
    row = {
        "id": _random_id(ctx),
        "webhook_id": webhook.id,
        "idempotency_key": once,
        "body": json.dumps({"type": event, "timestamp": timestamp(ctx.now), "data": data}),
        "created_at": ctx.now,
        "due_at": ctx.now,
    }
    ctx.session.execute(insert(WebhookDelivery).values(row).on_conflict_do_nothing())
    send_after_commit(ctx.session, DELIVER_TASK)


def _random_id(ctx: Context) -> str:
    return tokens.base32(int.from_bytes(ctx.draw(-(-_ID_BITS // 8)), "big"), _ID_BITS // 5)
