"""Submissions to matches: each is stored before its sender gets a confirmation."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, or_, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from pbem.db import conditions
from pbem.db.models import Address, Base, SeatHolder, Submission
from pbem.db.query_cache import Question, get_or_query, store
from pbem.db.session import call_after_commit, send_after_commit
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.states import SubmissionStatus
from pbem.telemetry import logs, metrics
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
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
_IS_TO_BE_JUDGED = and_(
    # The condition of a partial index.
    Submission.status == conditions.member(SubmissionStatus.PENDING),
    or_(_IS_NOT_HELD, Submission.hold_until <= bindparam("now")),
)
_IS_DUE = and_(Submission.match_id == bindparam("match"), _IS_TO_BE_JUDGED)
_DUE = select(Submission).where(_IS_DUE).options(joinedload(Submission.holder).joinedload(SeatHolder.player))
_IS_DUE_IN_SEVERAL = and_(conditions.is_any_of(Submission.match_id, "matches"), _IS_TO_BE_JUDGED)
_DUE_OF_SEVERAL = select(Submission).where(_IS_DUE_IN_SEVERAL)
_HAVING_DUE = select(Submission.match_id).where(_IS_DUE_IN_SEVERAL).distinct()

_MAIL_FLAGS = text("""
SELECT mails.submission,
  EXISTS (
    SELECT FROM submissions AS other WHERE other.holder_id = mails.holder AND other.message_id = mails.message_id
      AND other.ply = mails.ply AND other.id <> mails.submission AND other.status <> 'pending'
  ),
  EXISTS (SELECT FROM addresses WHERE email = mails.sender AND verified_at IS NULL)
FROM unnest(
  CAST(:submissions AS text[]), CAST(:holders AS bigint[]), CAST(:plies AS int[]),
  CAST(:message_ids AS text[]), CAST(:senders AS text[])
) AS mails (submission, holder, ply, message_id, sender)
""")


@dataclass(frozen=True, slots=True)
class MailFlags:
    """Whether a mail was judged already in other bytes, and whether the address of its sender is unconfirmed."""

    is_duplicate: bool
    is_unconfirmed: bool


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


def due_of_several(ctx: Context, matches: Collection[str]) -> dict[str, list[Submission]]:
    """Return the submissions of some matches that are to be judged now, in the order of judging, by match."""
    found: dict[str, list[Submission]] = {match: [] for match in matches}
    for submission in ctx.session.scalars(_DUE_OF_SEVERAL, {"matches": [*matches], "now": ctx.now}):
        found[submission.match_id].append(submission)
    return {match: sorted(own, key=sort_key) for match, own in found.items()}


def having_due(ctx: Context, matches: Collection[str]) -> list[str]:
    """List those of some matches that have submissions which are to be judged now."""
    return [*ctx.session.scalars(_HAVING_DUE, {"matches": [*matches], "now": ctx.now})]


def mail_flags(ctx: Context, submission: Submission, message_id: str, sender: str) -> MailFlags:
    """Return whether a mail was judged already in other bytes, and whether its sender is still unconfirmed."""

    def query() -> MailFlags:
        return _query_mail_flags(ctx, [(submission, message_id, sender)])[submission.id]

    return get_or_query(ctx.session, _flags_question(submission, message_id, sender), query)


def load_mail_flags(ctx: Context, mails: Sequence[tuple[Submission, str, str]]) -> None:
    """Load the flags of several mails by one query, for `mail_flags`: each with its Message-ID and its sender."""
    flags = _query_mail_flags(ctx, mails)
    for submission, message_id, sender in mails:
        store(ctx.session, _flags_question(submission, message_id, sender), flags[submission.id])


def _flags_question(submission: Submission, message_id: str, sender: str) -> Question:
    return Question((Address,), ("mail flags", submission.id, message_id, sender))


def _query_mail_flags(ctx: Context, mails: Sequence[tuple[Submission, str, str]]) -> dict[str, MailFlags]:
    columns = {
        "submissions": [submission.id for submission, _, _ in mails],
        "holders": [submission.holder_id for submission, _, _ in mails],
        "plies": [submission.ply for submission, _, _ in mails],
        "message_ids": [message_id for _, message_id, _ in mails],
        "senders": [sender for _, _, sender in mails],
    }
    # Executed on the connection, which does not flush the session: no unwritten row matters here.
    rows = ctx.session.connection().execute(_MAIL_FLAGS, columns)
    return {submission: MailFlags(seen, unconfirmed) for submission, seen, unconfirmed in rows}


def sort_key(submission: Submission) -> tuple[datetime, str]:
    """Return the sort key of a submission: when it was received, or until when it was held."""
    return submission.hold_until or submission.received_at, submission.id


def is_overdue(now: datetime, before: datetime) -> ColumnElement[bool]:
    """Build the condition for submissions that are overdue: received before a moment, or no longer held."""
    since = or_(and_(_IS_NOT_HELD, Submission.received_at < before), Submission.hold_until <= now)
    return and_(Submission.status == SubmissionStatus.PENDING, since)


def log_accepted(submission_id: str, match_id: str, via: str) -> None:
    """Count and log a new submission, once it is committed."""
    metrics.count(metrics.ACCEPTED, via)
    with logs.bound_fields(submission=logs.shorten_id(submission_id), match=match_id):
        log.info("stored a submission by %s", via)


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
    call_after_commit(ctx.session, log_accepted, new_id, match_id, via)
    return new_id
