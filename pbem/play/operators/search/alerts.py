"""Alerts: what an operator should look at now, each with its count and age, worst first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from pbem.db.models import Failure, Letter, Report, Submission
from pbem.play.notifications import given_up, operator_mail
from pbem.play.upkeep import gauges, outages, status

if TYPE_CHECKING:
    from sqlalchemy import Select

    from pbem.play.core.context import Context

DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST = 1000
"""Maximum count."""
_LATE = {"letters": timedelta(minutes=1), "calls": timedelta(minutes=10), "deadlines": timedelta(minutes=2)}


@dataclass(frozen=True, slots=True)
class Need:
    """Something that is fine or wrong: how many there are, and how long the oldest has waited, if they wait."""

    what: str
    count: int
    oldest: timedelta | None
    wrong: bool


def read(ctx: Context) -> list[Need]:
    """Return the state of everything, what is wrong first."""
    found = [*_queues(ctx), *_parts(ctx), *_backup(ctx), *_kept_back(ctx), *_told(ctx)]
    return sorted(found, key=lambda need: not need.wrong)


def _queues(ctx: Context) -> list[Need]:
    late = status.LATE | _LATE
    waits = {name: (queue.waiting, timedelta(seconds=queue.oldest)) for name, queue in gauges.queues(ctx).items()}
    return [
        Need(name, count, oldest if count else None, oldest > late[name]) for name, (count, oldest) in waits.items()
    ]


def _parts(ctx: Context) -> list[Need]:
    """List the parts of the service that have given no sign of life."""
    silent = {name: timedelta(seconds=silence) for name, silence in gauges.pulses(ctx).items()}
    return [
        Need(f"part {name}", 1, since, wrong=True)
        for name, since in sorted(silent.items())
        if since > 2 * outages.SLEPT
    ]


def _backup(ctx: Context) -> list[Need]:
    """Return the age of the newest backup; whether there should be one at all is checked by the doctor."""
    newest = gauges.newest_backup(ctx)
    age = ctx.now - newest if newest else None
    return [Need("backup", 1, age, wrong=age > gauges.BACKUP_LATE)] if age else []


def _kept_back(ctx: Context) -> list[Need]:
    failed = _capped(ctx, select(Submission.id).where(Submission.status == "failed"))
    unread = _capped(ctx, select(Letter.id).where(Letter.status == "failed"))
    unforwarded = operator_mail.lost(ctx)
    refusing = gauges.refusing(ctx)
    unwritten, since = given_up.counted(ctx, MOST)
    return [
        Need("failed submissions", failed, None, bool(failed)),
        Need("failed letters", unread, None, bool(unread)),
        Need("unwritten mails", unwritten, ctx.now - since if since else None, bool(unwritten)),
        Need("unforwarded", unforwarded, None, bool(unforwarded)),
        Need("domains", refusing, None, bool(refusing)),
    ]


def _told(ctx: Context) -> list[Need]:
    """Count recent refusals, bounces and reports, among the newest rows only, so that the cost is bounded."""
    found = [Need("refused mails", given_up.refused(ctx, ctx.now - DAY, MOST), None, wrong=False)]
    for name, row, since in (("bounces", Failure, DAY), ("reports", Report, WEEK)):
        latest = select(row.at).order_by(row.id.desc()).limit(MOST).subquery()
        count = ctx.session.scalar(select(func.count()).where(latest.c.at > ctx.now - since)) or 0
        found.append(Need(name, count, None, wrong=False))
    return found


def _capped(ctx: Context, wanted: Select[*tuple[Any, ...]]) -> int:
    return ctx.session.scalar(select(func.count()).select_from(wanted.limit(MOST).subquery())) or 0
