"""Search of outbound mail: pending, sent, dropped or failed, with the reasons for each state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import BounceReport, DomainBackoff, OutboxMessage, SeatHolder
from pbem.play.notifications import failed_mails, outbox
from pbem.play.notifications.smtp_status import reason_key, reason_text
from pbem.play.operators.search.pagination import Cursor, Order, Page, load_page
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context

STATES = tuple(OutboxState)
MAX_SEARCHED = 1_000_000
"""Number of newest mails among which dropped and failed ones are searched, unless by recipient, match or player."""


@dataclass(frozen=True, slots=True)
class MailDetails:
    """A mail with the reasons for its state, in sentences, and without its content."""

    notice: OutboxMessage
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportedBounce:
    """A report that a mail did not arrive, what it means, and what it said, without secrets."""

    failure: BounceReport
    notice: OutboxMessage
    meaning_text: str
    said: str


def list_mails(
    ctx: Context,
    state: str = "",
    recipient: str = "",
    match: str = "",
    player: int | None = None,
    after: Cursor | None = None,
) -> Page[OutboxMessage]:
    """List mails, newest first, optionally by state, recipient, match, or player."""
    wanted = select(OutboxMessage)
    if state:
        wanted = wanted.where(OutboxMessage.state == state)
    if state in {"dropped", "failed"} and not (recipient or match) and player is None:
        newest = select(func.coalesce(func.max(OutboxMessage.id), 0)).scalar_subquery()
        wanted = wanted.where(OutboxMessage.id > newest - MAX_SEARCHED)
    if recipient:
        wanted = wanted.where(OutboxMessage.recipient == recipient.strip().lower())
    if match:
        wanted = wanted.where(OutboxMessage.match_id == match)
    if player is not None:
        wanted = wanted.where(OutboxMessage.holder_id.in_(select(SeatHolder.id).where(SeatHolder.player_id == player)))
    return load_page(
        ctx, wanted, Order(OutboxMessage.created_at, OutboxMessage.id, numbered=True), after, lambda row: row
    )


def load_mail(ctx: Context, number: int, scrub: Callable[[str], str]) -> MailDetails | None:
    """Return a mail by its number, with the reasons for its state."""
    notice = ctx.session.get(OutboxMessage, number)
    return None if notice is None else MailDetails(notice, tuple(_explain(ctx, notice, scrub)))


def by_message_id(ctx: Context, message_id: str) -> OutboxMessage | None:
    """Find a mail by its Message-ID."""
    return ctx.session.scalar(select(OutboxMessage).where(OutboxMessage.message_id == message_id))


def bounce_reports(ctx: Context, scrub: Callable[[str], str], after: Cursor | None = None) -> Page[ReportedBounce]:
    """List the reports that mails did not arrive, newest first."""
    wanted = select(BounceReport, OutboxMessage).join(OutboxMessage, OutboxMessage.id == BounceReport.outbox_message_id)
    return load_page(
        ctx,
        wanted,
        Order(BounceReport.reported_at, BounceReport.id, numbered=True),
        after,
        lambda failure, notice: _bounce_report(failure, notice, scrub),
    )


def bounce_reports_for_mail(ctx: Context, number: int, scrub: Callable[[str], str]) -> list[ReportedBounce]:
    """List the reports about one mail."""
    wanted = select(BounceReport).where(BounceReport.outbox_message_id == number).order_by(BounceReport.id)
    notice = ctx.session.get_one(OutboxMessage, number)
    return [_bounce_report(row, notice, scrub) for row in ctx.session.scalars(wanted)]


def refusing_domains(ctx: Context, after: Cursor | None = None) -> Page[DomainBackoff]:
    """List the domains that refuse us now, newest first."""
    refusing = select(DomainBackoff).where(DomainBackoff.retry_at > ctx.now)
    return load_page(ctx, refusing, Order(DomainBackoff.started_at, DomainBackoff.domain), after, lambda row: row)


def _bounce_report(failure: BounceReport, notice: OutboxMessage, scrub: Callable[[str], str]) -> ReportedBounce:
    kind = failure.kind
    meaning = reason_text(reason_key(kind, failure.status, failure.text))  # type: ignore[arg-type]
    return ReportedBounce(failure, notice, meaning, scrub(failure.text))


def _explain(ctx: Context, notice: OutboxMessage, scrub: Callable[[str], str]) -> list[str]:
    """Return the reasons for a mail's state."""
    if notice.state == OutboxState.SENT:
        return ["The next mail server accepted it."]
    if notice.state != OutboxState.PENDING:
        dropped = "It was not sent, because it was no longer needed"
        failed = "It could not be sent, and is not retried"
        text = dropped if notice.state == OutboxState.DROPPED else failed
        found = [f"{text}: {scrub(notice.error)}." if notice.error else f"{text}."]
        if until := failed_mails.retryable_until(notice):
            found.append(f"Its content is kept until {until:%Y-%m-%d}: until then you can send it again.")
        return found
    found = []
    if notice.due_at > ctx.now:
        found.append("It is scheduled for later, or for the next attempt.")
    domain = ctx.session.get(DomainBackoff, notice.recipient.rpartition("@")[2])
    if domain is not None and domain.retry_at > ctx.now:
        found.append(f"Mails to {domain.domain} are held, because it rejects this service: {scrub(domain.last_error)}")
    if notice.error:
        found.append(f"The last attempt failed: {scrub(notice.error)}")
    if not_sent := outbox.find_skip_reason(ctx, notice):
        found.append(f"If it were sent now, it would be dropped: {not_sent}.")
    return found or ["It is due, and is sent with the next mails."]
