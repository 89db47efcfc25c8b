"""Gauges of the service from its database; the cost of each query does not grow with the stored data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select, text

from pbem.db import disk_check
from pbem.db.models import (
    Analysis,
    ClockPause,
    Deadline,
    DomainBackoff,
    Heartbeat,
    Match,
    OutboxMessage,
    PushMessage,
    ServiceMail,
    Submission,
    Thought,
    WebhookDelivery,
)
from pbem.play.clocks import clock_pauses
from pbem.play.submissions import queue
from pbem.play.upkeep.after_restore import BACKUP_HEARTBEAT
from pbem.play.upkeep.outages import CLOCK_HEARTBEAT
from pbem.states import DeliveryState, MatchState, OutboxState, ServiceMailStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.play.core.context import Context

MAX_DOMAINS = 200
"""Maximum mail domains with their own gauges, those with the most mail."""
PULSING_PARTS = ("worker", CLOCK_HEARTBEAT)
"""Parts that record heartbeats all the time; others, such as the backup, may be silent."""
BACKUP_LATE_AFTER = timedelta(days=2)
"""Age from which the nightly backup is late."""
_TABLE_SIZES = text(
    "SELECT relname, greatest(reltuples, 0), pg_total_relation_size(oid) FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
)


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue: the number of due items, and how long the oldest has been due, in seconds."""

    waiting: int
    oldest: float


def queues(ctx: Context) -> dict[str, Queue]:
    """Return the number and age of the due items of each queue."""
    now = ctx.now
    submitted = func.coalesce(Submission.hold_until, Submission.received_at)
    domain = func.split_part(OutboxMessage.recipient, "@", 2)
    held = select(DomainBackoff.domain).where(DomainBackoff.retry_at > now)
    return {
        "moves": _queue(ctx, submitted, queue.is_overdue(now, now)),
        "letters": _queue(ctx, ServiceMail.received_at, ServiceMail.status == ServiceMailStatus.PENDING),
        "mails": _queue(
            ctx,
            OutboxMessage.due_at,
            (OutboxMessage.state == OutboxState.PENDING) & (OutboxMessage.due_at <= now) & domain.not_in(held),
        ),
        "calls": _queue(
            ctx,
            WebhookDelivery.due_at,
            (WebhookDelivery.state == DeliveryState.PENDING) & (WebhookDelivery.due_at <= now),
        ),
        "pushes": _queue(
            ctx, PushMessage.due_at, (PushMessage.state == DeliveryState.PENDING) & (PushMessage.due_at <= now)
        ),
        "deadlines": _queue(ctx, Deadline.next_action_at, Deadline.next_action_at <= now),
        "thoughts": _queue(ctx, Thought.due_at, Thought.done_at.is_(None) & (Thought.due_at <= now)),
        "analyses": _queue(ctx, Analysis.due_at, Analysis.done_at.is_(None) & (Analysis.due_at <= now)),
    }


def heartbeat_ages(ctx: Context) -> dict[str, float]:
    """Return the seconds since the last heartbeat of each running part."""
    heartbeats = select(Heartbeat).where(Heartbeat.part.in_(PULSING_PARTS))
    return {row.part: max((ctx.now - row.seen_at).total_seconds(), 0.0) for row in ctx.session.scalars(heartbeats)}


def newest_backup_at(ctx: Context) -> datetime | None:
    """Return the time of the newest backup."""
    return ctx.session.scalar(select(Heartbeat.seen_at).where(Heartbeat.part == BACKUP_HEARTBEAT))


def full_disks(ctx: Context) -> dict[str, int]:
    """Return 1 for each full disk, by its owner; the database's is always listed, with 0 if it is not full."""
    return {disk_check.DATABASE_DISK: 0} | dict.fromkeys(disk_check.full_disks(ctx.session, ctx.now), 1)


def count_matches(ctx: Context) -> dict[str, int]:
    """Count the waiting and the running matches."""
    unfinished = (MatchState.INVITING, MatchState.RUNNING)
    return {state: _count(ctx, select(func.count()).where(Match.state == state)) for state in unfinished}


def outage_totals(ctx: Context) -> tuple[int, float]:
    """Return the number of outages, and their total length in seconds."""
    length = func.coalesce(func.sum(ClockPause.ended_at - ClockPause.started_at), text("interval '0'"))
    count, seconds = ctx.session.execute(
        select(func.count(), func.extract("epoch", length)).where(*clock_pauses.IS_OUTAGE)
    ).one()
    return int(count), float(seconds)


def count_throttled_domains(ctx: Context) -> int:
    """Count the throttled mail domains, whose mail waits."""
    return _count(ctx, select(func.count()).select_from(DomainBackoff).where(DomainBackoff.retry_at > ctx.now))


def table_sizes(ctx: Context) -> Mapping[str, tuple[float, int]]:
    """Return the approximate number of rows of each table, and its size in bytes with its indexes."""
    return {name: (float(rows), int(size)) for name, rows, size in ctx.session.execute(_TABLE_SIZES)}


def _queue(ctx: Context, since: Any, due: ColumnElement[bool]) -> Queue:
    waiting, oldest = ctx.session.execute(select(func.count(), func.min(since)).where(due)).one()
    return Queue(waiting, max((ctx.now - oldest).total_seconds(), 0.0) if oldest else 0.0)


def _count(ctx: Context, query: Select[int]) -> int:
    return ctx.session.scalar(query) or 0
