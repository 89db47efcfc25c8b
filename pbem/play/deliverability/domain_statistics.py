"""Delivery statistics by domain, for the operator."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import BounceReport, DomainBackoff, OutboxMessage
from pbem.db.session import call_after_commit
from pbem.states import OutboxState
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.play.core.context import Context

RESULTS = ("sent", "dropped", "failed", "soft", "hard", "complaint", "policy")
"""What can become of a mail; from `soft` on, kinds of reports."""
MAX_DOMAINS = 200
"""Maximum domains that are listed, those with the most mails; the others are summed up."""
OTHERS = "(others)"


@dataclass(frozen=True, slots=True)
class DomainCounts:
    """Counts of one domain; `refused_since` is when it began to refuse us, if it does."""

    domain: str
    sent: int = 0
    dropped: int = 0
    failed: int = 0
    soft: int = 0
    hard: int = 0
    complaint: int = 0
    policy: int = 0
    waiting: int = 0
    refused_since: str = ""


def count_result(ctx: Context, recipient: str, result: str) -> None:
    """Count the result of a mail in the metrics, after the commit."""
    domain = recipient.rpartition("@")[2]
    call_after_commit(ctx.session, metrics.count, metrics.MAILS, result)
    call_after_commit(ctx.session, metrics.count, metrics.DOMAIN_MAILS, domain, result)


def counts_by_domain(ctx: Context, days: int | None = None) -> list[DomainCounts]:
    """Count the mails to each domain, of the last `days` or of all time, domains with the most first."""
    since = ctx.now - timedelta(days=days) if days else None
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    to, about = func.split_part(OutboxMessage.recipient, "@", 2), func.split_part(BounceReport.email, "@", 2)
    notices = select(to, OutboxMessage.state, func.count()).group_by(to, OutboxMessage.state)
    reports = select(about, BounceReport.kind, func.count()).group_by(about, BounceReport.kind)
    if since is not None:
        notices, reports = (
            notices.where(OutboxMessage.created_at > since),
            reports.where(BounceReport.reported_at > since),
        )
    for asked in (notices, reports):
        for domain, what, count in ctx.session.execute(asked):
            counts[domain]["waiting" if what == OutboxState.PENDING else what] += count
    most = sorted(counts, key=lambda domain: (-sum(counts[domain].values()), domain))
    for domain in most[MAX_DOMAINS:]:
        for what, count in counts.pop(domain).items():
            counts[OTHERS][what] += count
    refused = select(DomainBackoff.domain, DomainBackoff.started_at).where(DomainBackoff.retry_at > ctx.now)
    held: dict[str, datetime] = {row.domain: row.started_at for row in ctx.session.execute(refused)}
    return [
        DomainCounts(domain, **counts[domain], refused_since=_format_time(held.get(domain)))
        for domain in [*most[:MAX_DOMAINS], *([OTHERS] if OTHERS in counts else [])]
    ]


def _format_time(since: datetime | None) -> str:
    return since.isoformat(timespec="minutes") if since else ""


def format_json(found: Sequence[DomainCounts]) -> list[str]:
    """Format each domain as a line of JSON."""
    return [json.dumps(asdict(rate)) for rate in found]


def format_table(found: Sequence[DomainCounts]) -> list[str]:
    """Format the domains as a table with a header."""
    heads = ("domain", *RESULTS, "waiting", "refused since")
    rows = [heads, *(tuple(map(str, asdict(rate).values())) for rate in found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    return [_format_row(row, widths) for row in rows]


def _format_row(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *numbers, last = zip(row, widths, strict=True)
    cells = [first[0].ljust(first[1]), *(text.rjust(width) for text, width in numbers), last[0].ljust(last[1])]
    return "  ".join(cells).rstrip()
