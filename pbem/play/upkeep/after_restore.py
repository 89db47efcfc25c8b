"""Restoring: what is to be done once the database was brought back to an older state.

What happened since then is lost to the service, but not to its players: their mails speak of it, and hold links and
addresses of stages that come again. So everything that could count twice is closed in the transaction that brings the
old state back, and each table that plays is told of it by the first worker.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import and_, case, func, insert, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import Call, Holder, Match, Notice, Pulse, Restoration, Token
from pbem.play.accounts.deletion import PARTED
from pbem.play.core import tokens
from pbem.play.core.context import timestamp
from pbem.play.matches import seats
from pbem.play.matches.match_state import course_of, enter_event, lock
from pbem.play.notifications import outbox
from pbem.play.upkeep.outages import PART
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import TextClause, UpdateBase
    from sqlalchemy.orm import Session

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

KIND = "restored"
"""The mail that tells a seat, and the event of the chain."""
BACKUP = "backup"
"""Whose pulse tells of when the newest backup is."""
BATCH = 10
"""So many tables are told in one transaction."""
ROUNDS = 30
"""So many transactions a beat gives to it; the next one goes on."""

_GONE = "it may have gone out before the service was brought back to an older state"
# Numbers of rows go into tokens and signed links: none may be given again to somebody else.
_LEAP = text(
    "SELECT setval(c.oid::regclass, nextval(c.oid::regclass) + 1000000000) FROM pg_class c "
    "JOIN pg_sequence s ON s.seqrelid = c.oid AND s.seqtypid = 'bigint'::regtype "
    "WHERE c.relnamespace = to_regnamespace(current_schema())"
)


def close(ctx: Context, lost_after: datetime) -> None:
    """Close what could count twice, and write down that what happened after a moment is lost.

    Nothing else may work on the database before this is committed.
    """
    for statement in _closing(lost_after, ctx.now):
        ctx.session.execute(statement.execution_options(synchronize_session=False))


def closing_script(lost_after: datetime, now: datetime) -> str:
    """Write the same as a script, for the transaction in which PostgreSQL's own programs bring the rows back."""
    how = {"literal_binds": True}
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    written = (one.compile(dialect=dialect, compile_kwargs=how) for one in _closing(lost_after, now))
    return "".join(f"{str(one).replace('%%', '%')};\n" for one in written)


def last_sign(ctx: Context) -> datetime | None:
    """Give when the service last showed in this database that it was alive."""
    return ctx.session.scalar(select(func.max(Pulse.at)).where(Pulse.part != BACKUP))


def backed_up(session: Session, at: datetime) -> None:
    """Note of when the newest backup is, for whoever watches its age."""
    row = upsert(Pulse).values(part=BACKUP, at=at)
    session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"at": at}))


def tell(ctx: Context, most: int = BATCH) -> bool:
    """Tell the next tables that play of a return to an older state; False where there is nothing more to tell.

    Only one worker at a time does so. A match that cannot be told is passed over, since the others wait.
    """
    waits = select(Restoration).where(Restoration.done_at.is_(None)).order_by(Restoration.id).limit(1)
    row = ctx.session.scalars(waits.with_for_update(skip_locked=True)).one_or_none()
    if row is None:
        return False
    known = Match.state != MatchState.OVER, Match.created_at < row.restored_at, Match.id > row.told_to
    names = ctx.session.scalars(select(Match.id).where(*known).order_by(Match.id).limit(most)).all()
    for name in names:
        try:
            with ctx.session.begin_nested():
                row.told += _tell(ctx, name, row)
        except SQLAlchemyError:
            raise
        except Exception:
            log.exception("could not tell the table of match %s that older moves are lost", name)
        row.told_to = name
    if len(names) < most:
        row.done_at = ctx.now
        log.warning("brought back to %s; %s tables have been told", timestamp(row.lost_after), row.told)
    return True


def _tell(ctx: Context, name: str, row: Restoration) -> int:
    """Enter into a match's chain that moves are lost, and owe each who sits there a mail with how it stands.

    Where the match has yet to begin nothing is lost: mails that are still owed there get links that hold.
    """
    match = lock(ctx, name)
    if match.state == MatchState.INVITING:
        for holder in seats.holders(ctx, match):
            tokens.issue(ctx, holder, 0)
    if match.started_at is None or match.started_at >= row.restored_at or match.state != MatchState.RUNNING:
        return 0
    enter_event(ctx, match, KIND, seat=None, by="operator", detail={"after": timestamp(row.lost_after)})
    course = course_of(ctx, match)
    for holder in seats.persons(seats.holders(ctx, match)):
        facts = outbox.position_facts(ctx, course, holder) | {"lost_after": row.lost_after.isoformat()}
        outbox.owe(ctx, KIND, holder, match, facts, once=f"{KIND} {row.id} {match.id} {holder.id}")
    return 1


def _closing(lost_after: datetime, now: datetime) -> Iterator[TextClause | UpdateBase]:
    unfinished = select(Match.id).where(Match.state != MatchState.OVER)
    inviting = select(Holder.id).join(Match, Holder.match_id == Match.id).where(Match.state == MatchState.INVITING)
    running = select(Match.id).where(Match.state == MatchState.RUNNING)
    yield _LEAP
    # Links and addresses of stages that come again belong to what is lost; an invitation still means the same.
    yield (
        update(Token)
        .where(Token.ply == 0, Token.generation > 0, Token.holder_id.in_(inviting))
        .values(generation=Token.generation + 1)
    )
    yield update(Holder).where(Holder.match_id.in_(unfinished)).values(generation=Holder.generation + 1)
    # What was owed then has most likely gone out since; of a running match, the mail to come tells all.
    done = and_(Notice.state == "owed", (Notice.due_at <= now) | Notice.match_id.in_(running))
    # Who was leaving for good is known no more once their last mail is settled.
    whom = case((Notice.kind == PARTED, ""), else_=Notice.recipient)
    nothing = text("'{}'::jsonb")
    yield update(Notice).where(done).values(state="dropped", settled_at=now, error=_GONE, recipient=whom, facts=nothing)
    yield (
        update(Call).where(Call.state == "owed", Call.due_at <= now).values(state="failed", settled_at=now, error=_GONE)
    )
    # By its last sign of life the clock will know for how long nobody could move.
    sign = upsert(Pulse).values(part=PART, at=lost_after)
    yield sign.on_conflict_do_update(index_elements=["part"], set_={"at": func.least(Pulse.at, lost_after)})
    yield insert(Restoration).values(lost_after=lost_after, restored_at=now)
