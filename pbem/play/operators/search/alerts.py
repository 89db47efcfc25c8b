"""Needs: what an operator should look at now, each with how much of it there is and since when, worst first."""

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

    from pbem.play.core.context import Table

DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST = 1000
"""No more than so many are counted."""
_LATE = {"letters": timedelta(minutes=1), "calls": timedelta(minutes=10), "deadlines": timedelta(minutes=2)}


@dataclass(frozen=True, slots=True)
class Need:
    """Something that is well or not: how many, and for how long the oldest has waited, where it waits."""

    what: str
    count: int
    oldest: timedelta | None
    wrong: bool


def read(table: Table) -> list[Need]:
    """Tell how everything stands, what is wrong first."""
    found = [*_queues(table), *_parts(table), *_backup(table), *_kept_back(table), *_told(table)]
    return sorted(found, key=lambda need: not need.wrong)


def _queues(table: Table) -> list[Need]:
    late = status.LATE | _LATE
    waits = {name: (queue.waiting, timedelta(seconds=queue.oldest)) for name, queue in gauges.queues(table).items()}
    return [
        Need(name, count, oldest if count else None, oldest > late[name]) for name, (count, oldest) in waits.items()
    ]


def _parts(table: Table) -> list[Need]:
    """Tell which parts of the service have given no sign of life."""
    silent = {name: timedelta(seconds=silence) for name, silence in gauges.pulses(table).items()}
    return [
        Need(f"part {name}", 1, since, wrong=True)
        for name, since in sorted(silent.items())
        if since > 2 * outages.SLEPT
    ]


def _backup(table: Table) -> list[Need]:
    """Return how old the newest backup is; whether there is to be one at all, the doctor asks."""
    newest = gauges.newest_backup(table)
    age = table.now - newest if newest else None
    return [Need("backup", 1, age, wrong=age > gauges.BACKUP_LATE)] if age else []


def _kept_back(table: Table) -> list[Need]:
    failed = _capped(table, select(Submission.id).where(Submission.status == "failed"))
    unread = _capped(table, select(Letter.id).where(Letter.status == "failed"))
    unforwarded = operator_mail.lost(table)
    refusing = gauges.refusing(table)
    unwritten, since = given_up.counted(table, MOST)
    return [
        Need("failed submissions", failed, None, bool(failed)),
        Need("failed letters", unread, None, bool(unread)),
        Need("unwritten mails", unwritten, table.now - since if since else None, bool(unwritten)),
        Need("unforwarded", unforwarded, None, bool(unforwarded)),
        Need("domains", refusing, None, bool(refusing)),
    ]


def _told(table: Table) -> list[Need]:
    """Count what came in lately; the latest rows are looked at, so that it costs the same however many there are."""
    found = [Need("refused mails", given_up.refused(table, table.now - DAY, MOST), None, wrong=False)]
    for name, row, since in (("bounces", Failure, DAY), ("reports", Report, WEEK)):
        latest = select(row.at).order_by(row.id.desc()).limit(MOST).subquery()
        count = table.session.scalar(select(func.count()).where(latest.c.at > table.now - since)) or 0
        found.append(Need(name, count, None, wrong=False))
    return found


def _capped(table: Table, wanted: Select[*tuple[Any, ...]]) -> int:
    return table.session.scalar(select(func.count()).select_from(wanted.limit(MOST).subquery())) or 0
