"""The outbox worker: sends the notifications of one shard of recipients, in order, over one connection."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, joinedload

from emails.composing.compose import compose
from emails.composing.digest import compose_digest
from emails.composing.recompose import render_snapshots
from emails.outbound.connection_pool import pooled_transport
from emails.outbound.daily_limits import daily_limits
from emails.outbound.dkim import sign
from emails.outbound.due_mails import due_batch, has_due_mail
from emails.outbound.results import finish, mark_sent, record_failure, without_fsync
from emails.outbound.shard_lock import shard_lock
from emails.outbound.transport import UnreachableError
from pbem.db import pending_rows
from pbem.db.models import Match, OutboxMessage, SeatHolder
from pbem.db.session import underlying
from pbem.play.core import context
from pbem.play.core.context import from_session, refreshed, transaction, without_transactions
from pbem.play.core.rate_limits import blocked_until, hit, hit_each
from pbem.play.deliverability import bounces
from pbem.play.notifications.outbox import find_skip_reason
from pbem.play.players import digest_schedule
from pbem.signing_keys import UnusableKeyError
from pbem.states import OutboxState
from pbem.telemetry import logs, traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Engine

    from emails.outbound.due_mails import Batch, PendingMail
    from emails.outbound.transport import Transport
    from pbem.config import Config
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

BATCH_SIZE = 16
"""Mails that are loaded together: enough to be cheap, few enough to be sent while they are fresh on a busy machine."""
MAX_RUN_SECONDS = 5
"""Seconds after which a run ends, so that its worker can do other tasks; the sweeper starts it again."""


def deliver_shard(engine: Engine, config: Config, shard: int) -> int:
    """Send the due mails of a shard and return how many were sent.

    Only one run at a time holds a shard. One that finds the shard locked returns at once; one that ends checks once
    more, so that no mail enqueued meanwhile is left behind. If the mail server cannot be reached, or no mail can be
    signed, everything stays as it is, and the sweeper starts the next run.
    """
    sent, until, more = 0, time.monotonic() + MAX_RUN_SECONDS, True
    with without_transactions(engine).connect() as connection:
        client = underlying(connection)
        while more and time.monotonic() < until:
            with shard_lock(client, shard) as mine, pooled_transport(config) as transport:
                if not mine:
                    break
                run = DeliveryRun(engine, config, connection, transport, until)
                try:
                    run.send(shard)
                except UnreachableError as away:
                    log.warning("mails wait: the mail server cannot be reached: %s", away)
                    until = 0.0
                except UnusableKeyError as unusable:
                    log.warning("mails wait: they cannot be signed: %s", unusable)
                    until = 0.0
                finally:
                    sent += run.sent
            more = has_due_mail(client, shard, context.system_time())
    return sent


class DeliveryRun:
    """One round over a locked shard: batch after batch, until nothing is due or time is up.

    Most mails are ordinary: they are sent from what their batch loaded, and one statement marks them. All others are
    processed in a transaction of their own.
    """

    def __init__(self, engine: Engine, config: Config, held: Connection, transport: Transport, until: float) -> None:
        self._engine = engine
        self._config = config
        self._connection = held
        self._client = underlying(held)
        self._transport = transport
        self._until = until
        self.sent = 0

    def send(self, shard: int) -> None:
        """Send the due mails of a shard."""
        more = True
        while more and time.monotonic() < self._until:
            with Session(self._connection, expire_on_commit=False, autoflush=False) as session:
                ctx = from_session(session, self._config)
                batch = due_batch(ctx, shard, BATCH_SIZE)
                if batch.mails:
                    self._transport.open()
                recipients: list[str] = []
                try:
                    more = self._send_batch(ctx, batch, recipients)
                finally:
                    self._count_sent(refreshed(ctx), recipients)

    def _send_batch(self, ctx: Context, batch: Batch, recipients: list[str]) -> bool:
        """Send a batch while it is fresh; return whether there may be more to send."""
        for one in batch.mails:
            if time.monotonic() >= self._until or not batch.is_fresh:
                return True
            with logs.bound_fields(notice=one.message.id, match=one.message.match_id), traces.span("mail"):
                now = refreshed(ctx)
                if batch.is_within_limits and one.is_ordinary(now):
                    fault = self._send_ordinary(now, one)
                    if fault is None:
                        recipients.append(one.message.recipient)
                else:
                    fault = self._send_in_transaction(one.message.id)
            if fault is not None:
                # The status of its address has changed, and the batch may hold others to the same address.
                return True
        return len(batch.mails) == BATCH_SIZE

    def _send_ordinary(self, ctx: Context, pending: PendingMail) -> Exception | None:
        message = pending.message
        fault = self._try_send(ctx, [message], pending.earlier_message_ids)
        if fault is None:
            self.sent += 1
            mark_sent(self._client, message, render_snapshots([message])[0] or {}, ctx.now)
            return None
        with transaction(self._engine, self._config) as other:
            if again := _load_pending(other, message.id):
                record_failure(other, [again[0]], fault)
        return fault

    def _send_in_transaction(self, number: int) -> Exception | None:
        with transaction(self._engine, self._config) as ctx:
            found = _load_pending(ctx, number)
            if found is None:
                return None
            message, _match = found
            together = [one for one in _digest_group(ctx, message) if not _drop_if_obsolete(ctx, one)]
            if not together:
                return None
            limits = daily_limits(self._config, message.recipient)
            before = bounces.address_status(ctx, message.recipient)
            if waits := before.backoff_until or blocked_until(ctx, *limits):
                for one in together:
                    one.due_at = waits
                return None
            fault = self._try_send(ctx, together)
            if fault is not None:
                record_failure(ctx, together, fault)
                return fault
            hit(ctx, *limits)
            bounces.record_delivery(ctx, together[0], before)
            for one, kept in zip(together, render_snapshots(together), strict=True):
                one.render_preferences = kept
                finish(ctx, one, OutboxState.SENT, None)
        self.sent += 1
        return None

    def _try_send(
        self, ctx: Context, together: Sequence[OutboxMessage], before: Sequence[str] | None = None
    ) -> Exception | None:
        """Compose and send a mail; return the error if it was not sent."""
        try:
            one = together[0]
            mail = compose(ctx, one, before) if len(together) == 1 else compose_digest(ctx, together)
            # Links that were issued anew, since their key is gone, must work when the mail arrives.
            pending_rows.write(ctx.session)
            self._transport.send(mail.sender, mail.recipient, sign(self._config, mail.raw, ctx.now))
        except (UnreachableError, UnusableKeyError, DBAPIError):
            raise
        except Exception as fault:  # noqa: BLE001 -- no error may stop the rest of the batch
            return fault
        return None

    def _count_sent(self, ctx: Context, recipients: Sequence[str]) -> None:
        """Count the ordinary mails of a batch against the rate limits of their recipients."""
        if self._config.limits is not None and recipients:
            hit_each(self._engine, ctx, [daily_limits(self._config, one) for one in recipients])


def _load_pending(ctx: Context, number: int) -> tuple[OutboxMessage, Match | None] | None:
    """Load a notification and all that its mail needs in one query.

    None if there is nothing to do: it was sent with an earlier digest, or its player has deleted their account.
    """
    whole = (
        select(OutboxMessage, Match, without_fsync())
        .outerjoin(Match, OutboxMessage.match_id == Match.id)
        .where(OutboxMessage.id == number)
    )
    people = joinedload(OutboxMessage.holder).joinedload(SeatHolder.player)
    found = ctx.session.execute(whole.options(people)).one_or_none()
    return (found[0], found[1]) if found and found[0].state == OutboxState.PENDING else None


def _digest_group(ctx: Context, message: OutboxMessage) -> list[OutboxMessage]:
    return digest_schedule.collect(ctx, message) if digest_schedule.is_deferred(message) else [message]


def _drop_if_obsolete(ctx: Context, message: OutboxMessage) -> bool:
    reason = find_skip_reason(ctx, message)
    if reason:
        finish(ctx, message, OutboxState.DROPPED, reason)
    return reason is not None
