"""Sweeper: enqueues tasks again that the broker has lost, and deletes expired rows."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Heartbeat, OutboxMessage, ServiceMail, Submission
from pbem.db.session import send_after_commit
from pbem.play.accounts import idempotency_keys, sign_in
from pbem.play.analysis import chunks
from pbem.play.archive import animation_cache
from pbem.play.core import player_events, rate_limits
from pbem.play.inbox.service_mail import PROCESS_TASK
from pbem.play.notifications import failed_mails, push_delivery, webhook_delivery
from pbem.play.notifications.outbox import RELAY_TASK
from pbem.play.submissions import queue
from pbem.play.submissions.queue import JUDGE_TASK
from pbem.play.upkeep import thinking
from pbem.states import OutboxState, ServiceMailStatus

if TYPE_CHECKING:
    from pbem.play.core.context import Context

OVERLOOKED_AFTER = timedelta(seconds=3)
"""Age of a pending item from which its own task is taken to be lost."""
BATCH_SIZE = 500


def sweep(ctx: Context) -> None:
    """Enqueue tasks for overlooked submissions, mails, webhooks and pushes; delete expired rows."""
    before = ctx.now - OVERLOOKED_AFTER
    overdue = select(Submission.match_id).where(queue.is_overdue(ctx.now, before))
    for match in ctx.session.scalars(overdue.distinct().limit(BATCH_SIZE)):
        send_after_commit(ctx.session, JUDGE_TASK, match)
    letters = select(ServiceMail.id).where(
        ServiceMail.status == ServiceMailStatus.PENDING, ServiceMail.received_at < before
    )
    for letter in ctx.session.scalars(letters.order_by(ServiceMail.id).limit(BATCH_SIZE)):
        send_after_commit(ctx.session, PROCESS_TASK, letter)
    pending = select(OutboxMessage.shard).where(
        OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at < before
    )
    for shard in ctx.session.scalars(pending.distinct()):
        send_after_commit(ctx.session, RELAY_TASK, shard)
    thinking.sweep(ctx, before)
    chunks.sweep(ctx, before)
    webhook_delivery.sweep(ctx, before)
    push_delivery.sweep(ctx, before)
    rate_limits.delete_expired(ctx)
    animation_cache.delete_expired(ctx)
    player_events.delete_expired(ctx)
    sign_in.delete_old(ctx)
    idempotency_keys.delete_expired(ctx)
    failed_mails.purge(ctx)


def record_heartbeat(ctx: Context, part: str) -> None:
    """Record a heartbeat of a part of the service."""
    row = insert(Heartbeat).values(part=part, seen_at=ctx.now)
    ctx.session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"seen_at": ctx.now}))
