"""Chunks of analyses: claimed one by one, made outside of any transaction, and stored.

A chunk that was lost with its worker is claimed again, and goes on from the last one that was stored.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select

from pbem import robots
from pbem.db.models import Analysis, Match
from pbem.db.session import send_after_commit
from pbem.play.analysis import looking_back_mails, par_mail, requests
from pbem.play.archive import records
from pbem.play.conditional_moves.robot_moves import THINK_TASK
from pbem.robots.analyses import LOOKING_BACK, PAR, STEPS

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

LEASE_TIME = timedelta(seconds=60)
"""Time after which a claimed chunk that was not stored is claimed again; of one that was made twice, one is stored."""
MAX_ATTEMPTS = 2
"""Number of attempts at a chunk, after which its analysis is done without a result."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an analysis to be made: `request` is what a thinker needs, as plain data."""

    match_id: str
    kind: str
    edition: int
    claimed_at: datetime
    request: dict[str, Any]


def claim(ctx: Context) -> Chunk | None:
    """Claim the next chunk of the analysis that has waited longest, skipping those that others have claimed.

    Analyses that cannot be made, or not any more by this edition of the robot, are deleted; those by a newer edition
    are left to a worker of a newer release. None if none waits.
    """
    longest = select(Analysis).where(_is_free(ctx)).order_by(Analysis.due_at, Analysis.match_id).limit(1)
    while row := ctx.session.scalar(longest.with_for_update(skip_locked=True)):
        match = ctx.session.get_one(Match, row.match_id)
        if requests.objection(match, row.kind) is None and row.edition == robots.edition(match.game):
            row.claimed_at = ctx.now
            record = records.build_record(ctx, match).data()
            request = {"do": row.kind, "record": record, "work": row.work}
            return Chunk(row.match_id, row.kind, row.edition, ctx.now, request)
        if row.edition > robots.edition(match.game):
            row.due_at = ctx.now + LEASE_TIME
        else:
            ctx.session.delete(row)
        ctx.session.flush()
    return None


def store(ctx: Context, chunk: Chunk, answer: dict[str, Any]) -> None:
    """Store what came of a chunk, unless it was claimed again meanwhile."""
    send_after_commit(ctx.session, THINK_TASK)
    row = _lock(ctx, chunk)
    if row is None:
        return
    row.claimed_at, row.attempts = None, 0
    row.steps_done, row.steps, row.work = answer["done"], answer["total"], answer["work"]
    row.seconds += answer["seconds"]
    if answer["result"] is not None:
        row.done_at, row.result, row.work = ctx.now, answer["result"], {}
        _announce(ctx, row)


def fail(ctx: Context, chunk: Chunk) -> None:
    """Record that a chunk ended the thinker; after some attempts, its analysis is done without a result."""
    send_after_commit(ctx.session, THINK_TASK)
    row = _lock(ctx, chunk)
    if row is None:
        return
    row.claimed_at, row.attempts = None, row.attempts + 1
    if row.attempts >= MAX_ATTEMPTS:
        row.done_at = ctx.now
        log.error("no analysis of match %s: “%s” has failed %s times", row.match_id, row.kind, row.attempts)
        _announce(ctx, row)


def sweep(ctx: Context, before: datetime) -> None:
    """Enqueue the task again if a chunk has waited since before some moment."""
    if ctx.session.scalar(select(Analysis.kind).where(_is_free(ctx), Analysis.due_at < before).limit(1)) is not None:
        send_after_commit(ctx.session, THINK_TASK)


def _is_free(ctx: Context) -> ColumnElement[bool]:
    free = or_(Analysis.claimed_at.is_(None), Analysis.claimed_at < ctx.now - LEASE_TIME)
    # In a rolling upgrade another release may know more kinds.
    return Analysis.done_at.is_(None) & (Analysis.due_at <= ctx.now) & Analysis.kind.in_(STEPS) & free


def _announce(ctx: Context, row: Analysis) -> None:
    """Send the mails that wait for an analysis which is done."""
    if row.kind == PAR:
        par_mail.release(ctx, row)
    if row.kind == LOOKING_BACK:
        looking_back_mails.release(ctx, row)


def _lock(ctx: Context, chunk: Chunk) -> Analysis | None:
    """Lock the analysis of a chunk; None if it is done, or was claimed again since."""
    key = (chunk.match_id, chunk.kind, chunk.edition)
    row = ctx.session.get(Analysis, key, with_for_update=True)
    return row if row is not None and row.done_at is None and row.claimed_at == chunk.claimed_at else None
