"""What became of a mail, written down and told to those who watch: sent, dropped, given up, or kept for later."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, update

from emails.outbound.transport import GOODBYE, NotSentError
from pbem.db.models import Notice
from pbem.db.session import once_committed
from pbem.play.accounts.deletion import PARTED
from pbem.play.core.backoff import PAUSES
from pbem.play.deliverability import bounces, domain_backoff, domain_statistics
from pbem.play.notifications import given_up, smtp_status
from pbem.telemetry import logs, metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

EARLY = 5
"""So many temporary refusals of a mail count for nothing: many machines refuse every new sender for some minutes."""

SOON, SELDOM = timedelta(seconds=10), timedelta(hours=1)
"""How long a mail waits at the least and at the most that a fault of ours or of the line kept from going."""


def hasty() -> ColumnElement[str]:
    """Have a transaction not wait for the disk."""
    # Losing a mark in a crash repeats one mail; waiting would cost more than the mail.
    return func.set_config("synchronous_commit", "off", True)  # noqa: FBT003 -- PostgreSQL's own word for "here only"


MARK = (
    update(Notice.__table__)  # type: ignore[arg-type]
    .where(Notice.id == bindparam("own"), Notice.state == "owed")
    .values(state="sent", settled_at=bindparam("at"), sent_as=bindparam("as"), return_path=bindparam("path"))
    .returning(hasty())
)
"""Marks a mail as sent; whoever lives through years in minutes hears of mails by it."""


def mark(ctx: Context, notice: Notice, sent_as: dict[str, Any]) -> None:
    """Note in one statement that a mail is out, as most are: it changes nothing else."""
    done = {"own": notice.id, "at": ctx.now, "as": sent_as, "path": notice.return_path}
    ctx.session.connection().execute(MARK, done)
    _note(ctx, notice, "sent")


def settle(ctx: Context, notice: Notice, state: str, error: str | None) -> None:
    """Note that nothing more is to be done about a notice."""
    notice.state, notice.error, notice.settled_at = state, error, ctx.now
    _note(ctx, notice, state)
    if notice.sent_as is None and not (state == "failed" and given_up.keeps(notice)):
        # Nobody was told what this was made of: it need not be kept, hands least of all.
        notice.facts = {}
    if notice.kind == PARTED:
        # Its reader has left: this was the last thing that had to know their address.
        notice.recipient, notice.error, notice.return_path = "", None, None
    ctx.session.flush()


def missed(ctx: Context, together: Sequence[Notice], fault: Exception) -> None:
    """Note that a mail did not go out.

    It is given up where nobody will ever take it, and where it cannot be written for a fault in the program; what a
    full disk or a broken line kept from going is tried again for as long as it takes.
    """
    lead = together[0]
    if isinstance(fault, NotSentError):
        log.warning("notice %s was not taken: %s", lead.id, fault)
        _refused(ctx, together, fault)
    elif isinstance(fault, OSError | MemoryError):
        log.warning("the mail of notice %s must wait: %s", lead.id, fault)
        for one in together:
            _put_off(ctx, one, _while(ctx, one), repr(fault))
    else:
        log.error("could not write the mail of notice %s", lead.id, exc_info=fault)
        _set_aside(ctx, together, fault)


def _set_aside(ctx: Context, together: Sequence[Notice], fault: Exception) -> None:
    """Give up a mail that cannot be written; of a digest, each turn is then tried alone."""
    for one in together:
        if len(together) == 1:
            settle(ctx, one, "failed", given_up.unwritten(fault))
        else:
            one.facts = {name: fact for name, fact in one.facts.items() if name != "digest"}


def _refused(ctx: Context, together: Sequence[Notice], refused: NotSentError) -> None:
    """Keep what was not taken for later, or give it up; what is said of the address counts there."""
    lead, text = together[0], str(refused)
    if refused.code and lead.kind != PARTED:
        status = smtp_status.status_of(refused.code, text)
        kind = smtp_status.kind_of(status, text)
        if kind == smtp_status.POLICY:
            bounces.failed(ctx, lead, kind, status, text)
            until = domain_backoff.refused(ctx, lead.recipient, text)
            for one in together:
                one.due_at, one.error = until, text
                domain_statistics.note(ctx, one.recipient, "put off")
            return
        if refused.permanent or lead.attempts >= EARLY:
            bounces.failed(ctx, lead, kind, status, text)
    for one in together:
        _postpone(ctx, one, refused)


def _postpone(ctx: Context, notice: Notice, refused: NotSentError) -> None:
    if refused.code in {0, GOODBYE}:
        # Nothing was said of this mail: the line was cut, or who is there has no time for any.
        _put_off(ctx, notice, _while(ctx, notice), str(refused))
    elif refused.permanent or notice.attempts >= len(PAUSES):
        settle(ctx, notice, "failed", str(refused))
    else:
        _put_off(ctx, notice, PAUSES[notice.attempts], str(refused))
        notice.attempts += 1


def _put_off(ctx: Context, notice: Notice, pause: timedelta, why: str) -> None:
    domain_statistics.note(ctx, notice.recipient, "put off")
    notice.due_at, notice.error = ctx.now + pause, why


def _while(ctx: Context, notice: Notice) -> timedelta:
    """Give a pause that grows with the time for which a mail has waited."""
    return min(max((ctx.now - notice.created_at) / 10, SOON), SELDOM)


def _note(ctx: Context, notice: Notice, state: str) -> None:
    """Tell those who watch what became of a mail, once that is kept."""
    due, said = notice.due_at, f"{notice.kind}, {notice.error}" if notice.error else notice.kind

    def tell() -> None:
        if state == "sent":
            metrics.observe(metrics.MAILED_AFTER, max((datetime.now(UTC) - due).total_seconds(), 0.0))
        log.info("%s: %s", state, said)

    domain_statistics.note(ctx, notice.recipient, state)
    with logs.about(notice=notice.id, match=notice.match_id):
        once_committed(ctx.session, tell)
