"""Sweeper: enqueues tasks again that the broker has lost, and deletes expired rows."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Letter, Notice, Pulse, Submission
from pbem.db.session import after_commit
from pbem.play.accounts import sign_in
from pbem.play.archive import animations
from pbem.play.core import rate_limits
from pbem.play.inbox.service_mail import READ
from pbem.play.notifications import given_up, webhook_delivery
from pbem.play.notifications.outbox import RELAY
from pbem.play.submissions import queue
from pbem.play.submissions.queue import JUDGE

if TYPE_CHECKING:
    from pbem.play.core.context import Context

OVERLOOKED = timedelta(seconds=3)
"""Age of a pending item from which its own task is taken to be lost."""
AT_MOST = 500


def sweep(ctx: Context) -> None:
    """Enqueue tasks for overlooked submissions, service mail, notifications and webhooks; delete expired rows."""
    before = ctx.now - OVERLOOKED
    waiting = select(Submission.match_id).where(queue.overlooked(ctx.now, before))
    for match in ctx.session.scalars(waiting.distinct().limit(AT_MOST)):
        after_commit(ctx.session, JUDGE, match)
    letters = select(Letter.id).where(Letter.status == "pending", Letter.received_at < before)
    for letter in ctx.session.scalars(letters.order_by(Letter.id).limit(AT_MOST)):
        after_commit(ctx.session, READ, letter)
    owed = select(Notice.shard).where(Notice.state == "owed", Notice.due_at < before)
    for shard in ctx.session.scalars(owed.distinct()):
        after_commit(ctx.session, RELAY, shard)
    webhook_delivery.sweep(ctx, before)
    rate_limits.forget(ctx)
    animations.forget(ctx)
    sign_in.forget(ctx)
    given_up.forget(ctx)


def beat(ctx: Context, part: str) -> None:
    """Record a pulse of a part of the service."""
    row = insert(Pulse).values(part=part, at=ctx.now)
    ctx.session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"at": ctx.now}))
