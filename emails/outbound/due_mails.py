"""Due mails of a shard of recipients, loaded with all that they need: two queries for many mails."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select
from sqlalchemy.orm import joinedload

from emails.composing.thread_headers import earlier_message_ids
from emails.outbound.daily_limits import is_within_limits
from pbem.db import conditions
from pbem.db.models import Match, OutboxMessage, SeatHolder
from pbem.play.core.message_kinds import delivery_rules
from pbem.play.deliverability import bounces
from pbem.play.notifications.outbox import skip_reason
from pbem.play.players import digest_schedule
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.session import DriverConnection
    from pbem.play.core.context import Context
    from pbem.play.deliverability.bounces import AddressStatus

FRESH_SECONDS = 1.0
"""Seconds for which a loaded batch may be trusted: a turn may end, or an address may bounce, meanwhile."""


@dataclass(frozen=True, slots=True)
class PendingMail:
    """A due notification with its match, the status of its address, and the earlier mails to its seat."""

    message: OutboxMessage
    match: Match | None
    address_status: AddressStatus
    earlier_message_ids: Sequence[str]

    def is_ordinary(self, ctx: Context) -> bool:
        """Return whether this is an ordinary mail: a single notification, to an address without known problems.

        Sending such a mail changes nothing but its own notification.
        """
        message, standing = self.message, self.address_status
        known = standing.backoff_until is not None or standing.has_failures or message.error is not None
        special = known or digest_schedule.is_deferred(message) or delivery_rules(message.kind).protects_account
        return not special and skip_reason(ctx, message, standing.suppressed) is None


@dataclass(frozen=True, slots=True)
class Batch:
    """The first due mails of a shard, and whether all may be sent without checking the rate limits again."""

    mails: Sequence[PendingMail]
    is_within_limits: bool
    loaded: float

    @property
    def is_fresh(self) -> bool:
        """Whether the batch was loaded just now."""
        return time.monotonic() - self.loaded < FRESH_SECONDS


# The condition of a partial index.
_IS_PENDING = OutboxMessage.state == conditions.member(OutboxState.PENDING)
_IS_DUE = OutboxMessage.shard == bindparam("shard"), _IS_PENDING, OutboxMessage.due_at <= bindparam("now")
_HAS_DUE = """
SELECT EXISTS (SELECT FROM outbox_messages WHERE shard = %s AND state = 'pending' AND due_at <= %s)
"""
_NEXT_DUE = (
    select(OutboxMessage, Match, earlier_message_ids())
    .outerjoin(Match, OutboxMessage.match_id == Match.id)
    .options(joinedload(OutboxMessage.holder).joinedload(SeatHolder.player))
    .where(*_IS_DUE)
    .order_by(OutboxMessage.due_at, OutboxMessage.id)
    .limit(bindparam("most"))
)


def due_batch(ctx: Context, shard: int, most: int) -> Batch:
    """Load the due mails of a shard, the longest due first."""
    rows = ctx.session.execute(_NEXT_DUE, {"shard": shard, "now": ctx.now, "most": most}).all()
    standings = bounces.address_statuses(ctx, {row[0].recipient for row in rows}) if rows else {}
    mails = [PendingMail(message, match, standings[message.recipient], before) for message, match, before in rows]
    return Batch(mails, is_within_limits(ctx, (one.message.recipient for one in mails)), time.monotonic())


def has_due_mail(connection: DriverConnection, shard: int, now: datetime) -> bool:
    """Return whether a shard has due mails."""
    return connection.execute(_HAS_DUE, (shard, now), prepare=True).fetchone() == (True,)
