"""Alerts: what an operator should look at now, each with its count and age, worst first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select

from pbem.db.models import AbuseReport, BounceReport, ServiceMail, Submission
from pbem.play.notifications import failed_mails, operator_mail
from pbem.play.upkeep import gauges, outages, public_status
from pbem.states import ServiceMailStatus, SubmissionStatus

if TYPE_CHECKING:
    from pbem.play.core.context import Context

DAY, WEEK = timedelta(days=1), timedelta(days=7)
MAX_COUNT = 1000
_LATE_AFTER = {
    "letters": timedelta(minutes=1),
    "calls": timedelta(minutes=10),
    "pushes": timedelta(minutes=10),
    "deadlines": timedelta(minutes=2),
    # After a minute they are played without.
    "thoughts": timedelta(seconds=30),
    # They get what robots of running matches leave of the processors.
    "analyses": timedelta(days=1),
}


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that is fine or wrong: how many there are, and how long the oldest has waited, if they wait."""

    what: str
    count: int
    oldest: timedelta | None
    wrong: bool


def collect(ctx: Context) -> list[Alert]:
    """Return the state of everything, what is wrong first."""
    found = [*_queues(ctx), *_silent_parts(ctx), *_backup(ctx), *_failures(ctx), *_recent_reports(ctx)]
    return sorted(found, key=lambda need: not need.wrong)


def _queues(ctx: Context) -> list[Alert]:
    late = public_status.LATE_AFTER | _LATE_AFTER
    waits = {name: (queue.waiting, timedelta(seconds=queue.oldest)) for name, queue in gauges.queues(ctx).items()}
    return [
        Alert(name, count, oldest if count else None, oldest > late[name]) for name, (count, oldest) in waits.items()
    ]


def _silent_parts(ctx: Context) -> list[Alert]:
    """List the parts of the service whose heartbeat is missing."""
    silent = {name: timedelta(seconds=silence) for name, silence in gauges.heartbeat_ages(ctx).items()}
    return [
        Alert(f"part {name}", 1, since, wrong=True)
        for name, since in sorted(silent.items())
        if since > 2 * outages.OUTAGE_AFTER
    ]


def _backup(ctx: Context) -> list[Alert]:
    """Return the age of the newest backup; whether there should be one at all is checked by the doctor."""
    newest = gauges.newest_backup_at(ctx)
    age = ctx.now - newest if newest else None
    return [Alert("backup", 1, age, wrong=age > gauges.BACKUP_LATE_AFTER)] if age else []


def _failures(ctx: Context) -> list[Alert]:
    failed = _count_capped(ctx, select(Submission.id).where(Submission.status == SubmissionStatus.FAILED))
    unread = _count_capped(ctx, select(ServiceMail.id).where(ServiceMail.status == ServiceMailStatus.FAILED))
    unforwarded = operator_mail.count_lost(ctx)
    refusing = gauges.count_throttled_domains(ctx)
    unwritten, since = failed_mails.count_unrendered(ctx, MAX_COUNT)
    return [
        Alert("failed submissions", failed, None, bool(failed)),
        Alert("failed letters", unread, None, bool(unread)),
        Alert("unwritten mails", unwritten, ctx.now - since if since else None, bool(unwritten)),
        Alert("unforwarded", unforwarded, None, bool(unforwarded)),
        Alert("domains", refusing, None, bool(refusing)),
    ]


def _recent_reports(ctx: Context) -> list[Alert]:
    """Count recent refusals, bounces and reports, among the newest rows only, so that the cost is bounded."""
    found = [Alert("refused mails", failed_mails.count_refused(ctx, ctx.now - DAY, MAX_COUNT), None, wrong=False)]
    for name, row, since in (("bounces", BounceReport, DAY), ("reports", AbuseReport, WEEK)):
        latest = select(row.reported_at).order_by(row.id.desc()).limit(MAX_COUNT).subquery()
        count = ctx.session.scalar(select(func.count()).where(latest.c.reported_at > ctx.now - since)) or 0
        found.append(Alert(name, count, None, wrong=False))
    return found


def _count_capped(ctx: Context, wanted: Select[*tuple[Any, ...]]) -> int:
    return ctx.session.scalar(select(func.count()).select_from(wanted.limit(MAX_COUNT).subquery())) or 0
