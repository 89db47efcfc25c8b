"""Backoff per domain that refuses our mail by policy: its mails wait, with growing delays, and resume on their own.

No address is blamed for it, no mail is given up, and the operator gets at most one mail a day about it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.addresses import domain_of
from pbem.db.models import DomainBackoff
from pbem.play.clocks import clock_pauses
from pbem.play.deadlines import turn_deadlines
from pbem.play.notifications import operator_mail, outbox

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

KIND = "refused us"
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (15, 60, 240, 720, 1440))
"""Delay of a domain's mails after each refusal in a row; the last one repeats."""
RESET_AFTER = timedelta(days=1)
"""Time after the last delay from which on a refusal begins a new row."""
MAX_DOMAINS_LISTED = 20


def backoff_until(ctx: Context, email: str) -> datetime | None:
    """Return until when mails to an address's domain wait, or None if they do not."""
    row = ctx.session.get(DomainBackoff, domain_of(email), populate_existing=True)
    return row.retry_at if row and row.retry_at > ctx.now else None


def record_refusal(ctx: Context, email: str, text: str) -> datetime:
    """Record that a domain refuses us; returns when to try again."""
    domain = domain_of(email)
    new = {"domain": domain, "started_at": ctx.now, "retry_at": ctx.now, "refusals": 0, "last_error": ""}
    ctx.session.execute(insert(DomainBackoff).values(new).on_conflict_do_nothing())
    row = ctx.session.get_one(DomainBackoff, domain, with_for_update=True, populate_existing=True)
    if row.retry_at + RESET_AFTER < ctx.now:
        clock_pauses.record_unreachable(ctx, row.started_at, row.retry_at, domain=domain)
        row.started_at, row.refusals = ctx.now, 0
    if row.retry_at <= ctx.now:
        # Refusals of several relays at once count as one.
        row.refusals += 1
        row.retry_at = ctx.now + BACKOFF[min(row.refusals, len(BACKOFF)) - 1]
    row.last_error = text
    ctx.session.flush()
    _notify_operator(ctx)
    return row.retry_at


def clear(ctx: Context, email: str) -> None:
    """Delete a domain's backoff, now that it has accepted the mail that it had refused.

    No player there loses the time for which their mail waited.
    """
    domain = domain_of(email)
    cleared = delete(DomainBackoff).where(DomainBackoff.domain == domain).returning(DomainBackoff.started_at)
    since = ctx.session.scalar(cleared)
    if since is not None:
        clock_pauses.record_unreachable(ctx, since, domain=domain)
        turn_deadlines.recompute_soon(ctx, turn_deadlines.belongs_to_domain(domain))


def _notify_operator(ctx: Context) -> None:
    operator = operator_mail.operator_address(ctx.config)
    if not operator:
        return
    waiting = select(DomainBackoff).where(DomainBackoff.retry_at > ctx.now)
    oldest = waiting.order_by(DomainBackoff.started_at, DomainBackoff.domain).limit(MAX_DOMAINS_LISTED)
    domains = [
        {
            "domain": one.domain,
            "since": one.started_at.isoformat(),
            "until": one.retry_at.isoformat(),
            "text": one.last_error,
        }
        for one in ctx.session.scalars(oldest)
    ]
    facts = {"name": "Operator", "language": "en", "domains": domains}
    outbox.enqueue_mail(ctx, KIND, operator, facts, once=f"{KIND} {ctx.now.date()}")
