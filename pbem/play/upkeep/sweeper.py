"""Finding again whatever a lost broker forgot: Postgres knows what is owed."""

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
    from pbem.play.core.context import Table

OVERLOOKED = timedelta(seconds=3)
"""What has waited this long was not found by its own task."""
AT_MOST = 500


def sweep(table: Table) -> None:
    """Name a task for each match with pending submissions and each shard with due notices; clear what is past."""
    before = table.now - OVERLOOKED
    waiting = select(Submission.match_id).where(queue.overlooked(table.now, before))
    for match in table.session.scalars(waiting.distinct().limit(AT_MOST)):
        after_commit(table.session, JUDGE, match)
    letters = select(Letter.id).where(Letter.status == "pending", Letter.received_at < before)
    for letter in table.session.scalars(letters.order_by(Letter.id).limit(AT_MOST)):
        after_commit(table.session, READ, letter)
    owed = select(Notice.shard).where(Notice.state == "owed", Notice.due_at < before)
    for shard in table.session.scalars(owed.distinct()):
        after_commit(table.session, RELAY, shard)
    webhook_delivery.sweep(table, before)
    rate_limits.forget(table)
    animations.forget(table)
    sign_in.forget(table)
    given_up.forget(table)


def beat(table: Table, part: str) -> None:
    """Note a sign of life of a part of the service."""
    row = insert(Pulse).values(part=part, at=table.now)
    table.session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"at": table.now}))
