"""Delivery results, stored, counted and logged: sent, dropped, failed or postponed."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from psycopg.types.json import Jsonb
from sqlalchemy import func

from emails.outbound.transport import CODE_CLOSING, DeliveryError
from pbem.db.session import call_after_commit
from pbem.play.accounts.deletion import GOODBYE_KIND
from pbem.play.core.backoff import RETRY_DELAYS
from pbem.play.deliverability import bounces, domain_backoff, domain_statistics
from pbem.play.notifications import failed_mails, smtp_status
from pbem.states import OutboxState
from pbem.telemetry import logs, metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.db.models import OutboxMessage
    from pbem.db.session import DriverConnection
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

MAX_UNCOUNTED_REFUSALS = 5
"""Temporary refusals of a mail that do not count: many servers refuse a new sender for some minutes."""

MIN_RETRY_DELAY, MAX_RETRY_DELAY = timedelta(seconds=10), timedelta(hours=1)
"""Minimum and maximum delay before retrying a mail that failed for a local fault or a broken connection."""


def without_fsync() -> ColumnElement[str]:
    """Build the expression by which a transaction commits without waiting for the disk."""
    # A mark lost in a crash repeats one mail; waiting would cost more than the mail.
    return func.set_config("synchronous_commit", "off", True)  # noqa: FBT003 -- PostgreSQL's is_local: this transaction only


_MARK_SENT = """
UPDATE outbox_messages
SET state = 'sent', finished_at = %(at)s, render_preferences = %(as)s, return_path_hash = %(path)s
WHERE id = %(own)s AND state = 'pending'
RETURNING set_config('synchronous_commit', 'off', true)
"""


def mark_sent(connection: DriverConnection, message: OutboxMessage, sent_as: dict[str, Any], at: datetime) -> None:
    """Mark an ordinary mail as sent, in one statement and with no other change; then count and log it.

    The connection commits each statement. SQLAlchemy would cost more than the database and its client together.
    """
    done = {"own": message.id, "at": at, "as": Jsonb(sent_as), "path": message.return_path_hash}
    connection.execute(_MARK_SENT, done, prepare=True)
    domain_statistics.count(message.recipient, OutboxState.SENT)
    _log_result(message.kind, OutboxState.SENT, message.due_at, message.error)


def finish(ctx: Context, message: OutboxMessage, state: OutboxState, error: str | None) -> None:
    """Store the final state of a notification."""
    message.state, message.error, message.finished_at = state, error, ctx.now
    _report_result(ctx, message, state)
    if message.render_preferences is None and not (state == OutboxState.FAILED and failed_mails.is_retryable(message)):
        # The mail was never sent, so its facts, which may hold hands, need not be stored.
        message.render_data = {}
    if message.kind == GOODBYE_KIND:
        # The account is deleted, and this goodbye was the last mail that needed the address.
        message.recipient, message.error, message.return_path_hash = "", None, None
    ctx.session.flush()


def record_failure(ctx: Context, together: Sequence[OutboxMessage], fault: Exception) -> None:
    """Record that a mail was not sent.

    It fails for good if no server will ever accept it, or if a bug keeps it from being composed. After a full disk or a
    broken connection it is retried for as long as it takes.
    """
    lead = together[0]
    if isinstance(fault, DeliveryError):
        log.warning("mail %s was refused: %s", lead.id, fault)
        _handle_refusal(ctx, together, fault)
    elif isinstance(fault, OSError | MemoryError):
        log.warning("mail %s must wait: %s", lead.id, fault)
        for one in together:
            _defer(ctx, one, _retry_delay(ctx, one), repr(fault))
    else:
        log.error("could not compose mail %s", lead.id, exc_info=fault)
        _fail_uncomposable(ctx, together, fault)


def _fail_uncomposable(ctx: Context, together: Sequence[OutboxMessage], fault: Exception) -> None:
    """Fail a mail that cannot be composed; the turns of a digest are then tried one by one."""
    for one in together:
        if len(together) == 1:
            finish(ctx, one, OutboxState.FAILED, failed_mails.rendering_error(fault))
        else:
            one.render_data = {name: fact for name, fact in one.render_data.items() if name != "digest"}


def _handle_refusal(ctx: Context, together: Sequence[OutboxMessage], refused: DeliveryError) -> None:
    """Postpone or fail a refused mail; what the server says about the address counts as a bounce."""
    lead, text = together[0], str(refused)
    if refused.code and lead.kind != GOODBYE_KIND:
        status = smtp_status.parse_status(refused.code, text)
        kind = smtp_status.classify(status, text)
        if kind == smtp_status.POLICY:
            bounces.record_failure(ctx, lead, kind, status, text)
            until = domain_backoff.record_refusal(ctx, lead.recipient, text)
            for one in together:
                one.due_at, one.error = until, text
                domain_statistics.count_result(ctx, one.recipient, "put off")
            return
        if refused.permanent or lead.attempts >= MAX_UNCOUNTED_REFUSALS:
            bounces.record_failure(ctx, lead, kind, status, text)
    for one in together:
        _retry_or_fail(ctx, one, refused)


def _retry_or_fail(ctx: Context, message: OutboxMessage, refused: DeliveryError) -> None:
    if refused.code in {0, CODE_CLOSING}:
        # The reply is not about this mail: the connection broke, or the server takes no mail now.
        _defer(ctx, message, _retry_delay(ctx, message), str(refused))
    elif refused.permanent or message.attempts >= len(RETRY_DELAYS):
        finish(ctx, message, OutboxState.FAILED, str(refused))
    else:
        _defer(ctx, message, RETRY_DELAYS[message.attempts], str(refused))
        message.attempts += 1


def _defer(ctx: Context, message: OutboxMessage, pause: timedelta, why: str) -> None:
    domain_statistics.count_result(ctx, message.recipient, "put off")
    message.due_at, message.error = ctx.now + pause, why


def _retry_delay(ctx: Context, message: OutboxMessage) -> timedelta:
    """Return a delay that grows with the age of a mail."""
    return min(max((ctx.now - message.created_at) / 10, MIN_RETRY_DELAY), MAX_RETRY_DELAY)


def _report_result(ctx: Context, message: OutboxMessage, state: OutboxState) -> None:
    """Count and log the result of a mail, once it is committed."""
    domain_statistics.count_result(ctx, message.recipient, state)
    with logs.bound_fields(notice=message.id, match=message.match_id):
        call_after_commit(ctx.session, _log_result, message.kind, state, message.due_at, message.error)


def _log_result(kind: str, state: OutboxState, due: datetime, error: str | None) -> None:
    if state == OutboxState.SENT:
        metrics.observe(metrics.MAIL_DELAY_SECONDS, max((datetime.now(UTC) - due).total_seconds(), 0.0))
    log.info("%s: %s", state, f"{kind}, {error}" if error else kind)
