"""Delivery statistics by domain, for the operator."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
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
    call_after_commit(ctx.session, count, recipient, result)


def count(recipient: str, result: str) -> None:
    """Count the result of a mail in the metrics."""
    metrics.count(metrics.MAILS, result)
    metrics.count(metrics.DOMAIN_MAILS, recipient.rpartition("@")[2], result)


def counts_by_domain(ctx: Context, days: int | None = None) -> list[DomainCounts]:
    """Count the mails to each domain, of the last `days` or of all time, domains with the most first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    to, about = func.split_part(OutboxMessage.recipient, "@", 2), func.split_part(BounceReport.email, "@", 2)
    mails = select(to, OutboxMessage.state, func.count()).group_by(to, OutboxMessage.state)
    reports = select(about, BounceReport.kind, func.count()).group_by(about, BounceReport.kind)
    if days:
        since = ctx.now - timedelta(days=days)
        mails, reports = mails.where(OutboxMessage.created_at > since), reports.where(BounceReport.reported_at > since)
    for query in (mails, reports):
        for domain, result, count in ctx.session.execute(query):
            counts[domain]["waiting" if result == OutboxState.PENDING else result] += count
    most = sorted(counts, key=lambda domain: (-counts[domain].total(), domain))
    for domain in most[MAX_DOMAINS:]:
        counts[OTHERS] += counts.pop(domain)
    refused = select(DomainBackoff.domain, DomainBackoff.started_at).where(DomainBackoff.retry_at > ctx.now)
    since_by_domain = {domain: at.isoformat(timespec="minutes") for domain, at in ctx.session.execute(refused)}
    return [
        DomainCounts(domain, **counts[domain], refused_since=since_by_domain.get(domain, ""))
        for domain in [*most[:MAX_DOMAINS], *([OTHERS] if OTHERS in counts else [])]
    ]


def format_json(domains: Sequence[DomainCounts]) -> list[str]:
    """Format each domain as a line of JSON."""
    return [json.dumps(asdict(counts)) for counts in domains]


def format_table(domains: Sequence[DomainCounts]) -> list[str]:
    """Format the domains as a table with a header; numbers are aligned to the right."""
    heads = ("domain", *RESULTS, "waiting", "refused since")
    rows = [heads, *(tuple(map(str, asdict(counts).values())) for counts in domains)]
    first, *numbers, last = (max(map(len, column)) for column in zip(*rows, strict=True))
    aligned = "  ".join([f"{{:<{first}}}", *(f"{{:>{width}}}" for width in numbers), f"{{:<{last}}}"])
    return [aligned.format(*row).rstrip() for row in rows]
