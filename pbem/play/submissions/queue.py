"""Submissions to matches: each is stored before its sender gets a confirmation."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, literal_column, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from pbem.db.models import Address, Base, SeatHolder, Submission
from pbem.db.session import call_after_commit, send_after_commit
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.states import SubmissionStatus
from pbem.telemetry import logs, metrics
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.db.models import Token
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

JUDGE_TASK = "judge_submissions"
"""The task that judges a match's submissions."""

MAX_MOVE_CHARS = 4000
"""Maximum characters of a move by form or API, and of all text that is tried as one."""

MAIL, LINK, API, CHAT = "mail", "link", "api", "table"
"""How a submission came in; the last one is for a chat message from a page or the API."""

API_STATUSES = {"done": "played", "ignored": "rejected", "failed": "rejected"}
"""API names of the statuses for which the API has no word of its own."""

RESIGN_COMMAND = "resign yes"
"""Text of a resignation by page or API; the judge knows the command from mails."""

_ID_BITS = 130
_SUBMISSIONS = Base.metadata.tables[Submission.__tablename__]
"""Table for inserts without the ORM: a transaction does not load the rows that it inserts here."""

_IS_NOT_HELD = Submission.hold_until.is_(None)
_IS_DUE = and_(
    Submission.match_id == bindparam("match"),
    # A literal, so that a generic query plan can use the partial index on pending rows.
    Submission.status == literal_column("'pending'"),
    or_(_IS_NOT_HELD, Submission.hold_until <= bindparam("now")),
)
_DUE = select(Submission).where(_IS_DUE).options(joinedload(Submission.holder).joinedload(SeatHolder.player))
_ANY_DUE = select(Submission.id).where(_IS_DUE).limit(1)

_SAME_MAIL = select(Submission.id).where(
    Submission.holder_id == bindparam("holder"),
    Submission.message_id == bindparam("mail"),
    Submission.id != bindparam("own"),
    Submission.ply == bindparam("ply"),
    Submission.status != SubmissionStatus.PENDING,
)
_UNCONFIRMED = select(Address.email).where(Address.email == bindparam("sender"), Address.verified_at.is_(None))
_MAIL_FLAGS = select(_SAME_MAIL.exists(), _UNCONFIRMED.exists())


@dataclass(frozen=True, slots=True)
class Status:
    """State of a submission: `pending`, `played`, `rejected` or `already_played`, and why."""

    status: str
    reason: str | None


def send_move(ctx: Context, token: Token, via: str, claimed_ply: int, move: str) -> str:
    """Store a move by link or API and return its id; the same token, ply and move again is the same submission."""
    # Replace characters that a text column cannot store; the rest is still judged and answered.
    move = move.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    key = hashlib.sha256(b"\0".join([b"move", token.hash, str(claimed_ply).encode(), move.encode()])).digest()
    return _store(ctx, token, key, via=via, text=move, claimed_ply=claimed_ply)


def send_resignation(ctx: Context, token: Token) -> str:
    """Store a resignation by page or API and return its id; the same token again is the same submission."""
    return send_move(ctx, token, LINK, token.ply, RESIGN_COMMAND)


def find_sent(ctx: Context, holder_id: int, claimed_ply: int, move: str) -> str | None:
    """Return the id of a move that a seat sent by link for an earlier turn, unless it was refused; None without one."""
    same = Submission.holder_id == holder_id, Submission.claimed_ply == claimed_ply, Submission.text == move
    sent = select(Submission.id).where(*same, Submission.via == LINK, Submission.status != SubmissionStatus.REJECTED)
    return ctx.session.scalar(sent.order_by(Submission.received_at).limit(1))


def send_chat(ctx: Context, token: Token, claimed_ply: int, text: str, once: str) -> str:
    """Store a chat message and return its id; the same form sent twice is the same submission."""
    key = hashlib.sha256("\0".join(["word", token.hash.hex(), str(claimed_ply), text, once]).encode()).digest()
    return _store(ctx, token, key, via=CHAT, text=text, claimed_ply=claimed_ply)


def random_id(ctx: Context) -> str:
    """Return a random id for a submission that nobody can guess."""
    return tokens.base32(int.from_bytes(ctx.draw(17), "big") >> 6, _ID_BITS // 5)


def find_status(ctx: Context, submission: str) -> Status | None:
    """Return the state of a submission, or None if it does not exist."""
    row = ctx.session.get(Submission, submission)
    if row is None:
        return None
    if row.status == SubmissionStatus.PENDING and row.hold_until:
        until = format_moment(row.hold_until, row.holder.player.time_zone)
        return Status(row.status, _("It will be played on {moment}. Until then you can take it back.", moment=until))
    reason = None if row.status == SubmissionStatus.PLAYED else row.reason
    return Status(API_STATUSES.get(row.status, row.status), reason)


def due(ctx: Context, match_id: str) -> list[Submission]:
    """List the submissions of a match that are to be judged now, in the order of judging."""
    return sorted(ctx.session.scalars(_DUE, {"match": match_id, "now": ctx.now}), key=sort_key)


def has_due(ctx: Context, match_id: str) -> bool:
    """Return whether a match has submissions that are to be judged now."""
    return ctx.session.scalar(_ANY_DUE, {"match": match_id, "now": ctx.now}) is not None


def mail_flags(ctx: Context, submission: Submission, message_id: str, sender: str) -> tuple[bool, bool]:
    """Return whether a mail was judged already in other bytes, and whether its sender is still unconfirmed."""
    mail = {"holder": submission.holder_id, "mail": message_id, "own": submission.id, "ply": submission.ply}
    # Executed on the connection, which does not flush the session: no unwritten row matters here.
    seen, unconfirmed = ctx.session.connection().execute(_MAIL_FLAGS, mail | {"sender": sender}).one()
    return bool(message_id) and seen, unconfirmed


def sort_key(submission: Submission) -> tuple[datetime, str]:
    """Return the sort key of a submission: when it was received, or until when it was held."""
    return submission.hold_until or submission.received_at, submission.id


def is_overdue(now: datetime, before: datetime) -> ColumnElement[bool]:
    """Build the condition for submissions that are overdue: received before a moment, or no longer held."""
    since = or_(and_(_IS_NOT_HELD, Submission.received_at < before), Submission.hold_until <= now)
    return and_(Submission.status == SubmissionStatus.PENDING, since)


def log_accepted(ctx: Context, submission_id: str, match_id: str, via: str) -> None:
    """Count and log a new submission after the commit."""
    call_after_commit(ctx.session, metrics.count, metrics.ACCEPTED, via)
    with logs.bound_fields(submission=logs.shorten_id(submission_id), match=match_id):
        call_after_commit(ctx.session, log.info, "stored a submission by %s", via)


def _store(ctx: Context, token: Token, key: bytes, *, via: str, text: str, claimed_ply: int) -> str:
    """Store a submission unless one with the same idempotency key exists; return its id."""
    match_id = token.holder.match_id
    row = {
        "id": random_id(ctx), "match_id": match_id, "holder_id": token.holder_id, "ply": token.ply, "via": via,
        "text": text, "claimed_ply": claimed_ply, "idempotency_key": key, "received_at": ctx.now,
    }  # fmt: skip
    added = insert(_SUBMISSIONS).values(row).on_conflict_do_nothing().returning(Submission.id)
    new_id = ctx.session.scalar(added)
    send_after_commit(ctx.session, JUDGE_TASK, match_id)
    if new_id is None:
        return ctx.session.scalars(select(Submission.id).where(Submission.idempotency_key == key)).one()
    log_accepted(ctx, new_id, match_id, via)
    return new_id
