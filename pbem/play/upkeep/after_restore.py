"""Cleanup after the database was restored from a backup.

What happened after the backup is lost, but players still have mails about it, with links and reply addresses of stages
that come again. So everything that could count twice is invalidated in the transaction that restores the data, and a
worker then notifies the players of all running matches.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import TextClause, UpdateBase, and_, case, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import (
    Heartbeat,
    Match,
    OutboxMessage,
    PlayerEvent,
    PushMessage,
    Restore,
    SeatHolder,
    Token,
    WebhookDelivery,
)
from pbem.play.accounts.deletion import GOODBYE_KIND
from pbem.play.core import tokens
from pbem.play.core.context import Context, timestamp
from pbem.play.events import field_mails
from pbem.play.ladders import challenges
from pbem.play.leagues import season_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import append_event, load_match, lock_match
from pbem.play.notifications import outbox
from pbem.play.upkeep.outages import CLOCK_HEARTBEAT
from pbem.states import DeliveryState, MatchState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy.orm import Session

log = logging.getLogger(__name__)

KIND = "restored"
"""Kind of the mail to a seat, and of the event in the chain."""
BACKUP_HEARTBEAT = "backup"
"""Name of the heartbeat with the time of the newest backup."""
BATCH_SIZE = 10
"""Matches notified per transaction."""
MAX_BATCHES = 30
"""Maximum transactions per tick; the next tick continues."""

_DROP_REASON = "it may have been sent before the service was restored to an older state"
# Row ids are part of tokens and signed links, so they must not be reused after the restore.
_SKIP_SEQUENCES = text(
    "SELECT setval(c.oid::regclass, nextval(c.oid::regclass) + 1000000000) FROM pg_class c "
    "JOIN pg_sequence s ON s.seqrelid = c.oid AND s.seqtypid = 'bigint'::regtype "
    "WHERE c.relnamespace = to_regnamespace(current_schema())"
)


def invalidate(ctx: Context, lost_after: datetime) -> None:
    """Invalidate what could count twice, and record that everything after `lost_after` is lost.

    Nothing else may use the database before this is committed.
    """
    for statement in _invalidation_statements(lost_after, ctx.now):
        ctx.session.execute(statement.execution_options(synchronize_session=False))


def invalidation_script(lost_after: datetime, now: datetime) -> str:
    """Return the same statements as an SQL script, for the transaction in which PostgreSQL's tools restore the rows."""
    how = {"literal_binds": True}
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    written = (one.compile(dialect=dialect, compile_kwargs=how) for one in _invalidation_statements(lost_after, now))
    return "".join(f"{str(one).replace('%%', '%')};\n" for one in written)


def last_heartbeat_at(ctx: Context) -> datetime | None:
    """Return the latest heartbeat of the service in this database."""
    return ctx.session.scalar(select(func.max(Heartbeat.seen_at)).where(Heartbeat.part != BACKUP_HEARTBEAT))


def record_backup(session: Session, at: datetime) -> None:
    """Record the time of the newest backup, for monitoring its age."""
    row = upsert(Heartbeat).values(part=BACKUP_HEARTBEAT, seen_at=at)
    session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"seen_at": at}))


def notify_batch(ctx: Context, most: int = BATCH_SIZE) -> bool:
    """Notify the next matches of a restore; return False if there is nothing left to do.

    Only one worker at a time does so. A match that fails is skipped, so that the others are notified.
    """
    unfinished = select(Restore).where(Restore.finished_at.is_(None)).order_by(Restore.id).limit(1)
    row = ctx.session.scalars(unfinished.with_for_update(skip_locked=True)).one_or_none()
    if row is None:
        return False
    known = Match.state != MatchState.OVER, Match.created_at < row.restored_at, Match.id > row.last_notified_match_id
    names = ctx.session.scalars(select(Match.id).where(*known).order_by(Match.id).limit(most)).all()
    for name in names:
        try:
            with ctx.session.begin_nested():
                row.notified_count += _notify_match(ctx, name, row)
        except SQLAlchemyError:
            raise
        except Exception:
            log.exception("could not notify the players of match %s of the restore", name)
        row.last_notified_match_id = name
    if len(names) < most:
        season_mails.restored_all(ctx, row.id)
        challenges.notify_restored(ctx, row.id)
        field_mails.notify_restored(ctx, row.id)
        row.finished_at = ctx.now
        log.warning(
            "restored to %s; the players of %s matches are notified", timestamp(row.lost_after), row.notified_count
        )
    return True


def _notify_match(ctx: Context, name: str, row: Restore) -> int:
    """Append the loss of moves to a match's chain, and enqueue a mail with the position to each player.

    A match that has not started has lost nothing; its pending mails get valid links.
    """
    match = lock_match(ctx, name)
    if match.state == MatchState.INVITING:
        for holder in seats.holders(ctx, match):
            tokens.issue(ctx, holder, 0)
    if match.started_at is None or match.started_at >= row.restored_at or match.state != MatchState.RUNNING:
        return 0
    append_event(ctx, match, KIND, seat=None, by="operator", detail={"after": timestamp(row.lost_after)})
    state = load_match(ctx, match)
    for holder in seats.distinct_players(seats.holders(ctx, match)):
        facts = outbox.position_facts(ctx, state, holder) | {"lost_after": row.lost_after.isoformat()}
        outbox.enqueue(ctx, KIND, holder, match, facts, once=f"{KIND} {row.id} {match.id} {holder.id}")
    return 1


def _invalidation_statements(lost_after: datetime, now: datetime) -> Iterator[TextClause | UpdateBase]:
    unfinished = select(Match.id).where(Match.state != MatchState.OVER)
    inviting = select(SeatHolder.id).join(Match, SeatHolder.match_id == Match.id)
    inviting = inviting.where(Match.state == MatchState.INVITING)
    running = select(Match.id).where(Match.state == MatchState.RUNNING)
    yield _SKIP_SEQUENCES
    # Invalidate links and addresses of stages that come again; those of invitations stay valid.
    yield (
        update(Token)
        .where(Token.ply == 0, Token.generation > 0, Token.holder_id.in_(inviting))
        .values(generation=Token.generation + 1)
    )
    yield update(SeatHolder).where(SeatHolder.match_id.in_(unfinished)).values(generation=SeatHolder.generation + 1)
    # Pending mails have most likely been sent since; the mail about the restore covers those of running matches.
    done = and_(
        OutboxMessage.state == OutboxState.PENDING, (OutboxMessage.due_at <= now) | OutboxMessage.match_id.in_(running)
    )
    # The address of a deleted account is erased once its last mail is settled.
    whom = case((OutboxMessage.kind == GOODBYE_KIND, ""), else_=OutboxMessage.recipient)
    nothing = text("'{}'::jsonb")
    yield (
        update(OutboxMessage)
        .where(done)
        .values(state=OutboxState.DROPPED, finished_at=now, error=_DROP_REASON, recipient=whom, render_data=nothing)
    )
    yield (
        update(WebhookDelivery)
        .where(WebhookDelivery.state == DeliveryState.PENDING, WebhookDelivery.due_at <= now)
        .values(state=DeliveryState.FAILED, finished_at=now, error=_DROP_REASON)
    )
    # Their order is that of another database's transactions.
    yield delete(PlayerEvent)
    yield (
        update(PushMessage)
        .where(PushMessage.state == DeliveryState.PENDING, PushMessage.due_at <= now)
        .values(state=DeliveryState.FAILED, finished_at=now, error=_DROP_REASON)
    )
    # The clock measures the outage from this heartbeat.
    heartbeat = upsert(Heartbeat).values(part=CLOCK_HEARTBEAT, seen_at=lost_after)
    yield heartbeat.on_conflict_do_update(
        index_elements=["part"], set_={"seen_at": func.least(Heartbeat.seen_at, lost_after)}
    )
    yield insert(Restore).values(lost_after=lost_after, restored_at=now)
