"""Submissions: what somebody sent to a seat, kept before they hear that it was taken."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, literal_column, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from pbem.db.models import Address, Base, Holder, Submission
from pbem.db.session import after_commit, once_committed
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.telemetry import logs, metrics
from pbem.time_format import moment

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.sql.elements import ColumnElement

    from pbem.db.models import Token
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

JUDGE = "judge"
"""The task that judges a match's submissions."""

LONGEST = 4000
"""A move that comes by a form or a program has at most so many characters, with all that is tried as one."""

MAIL, LINK, API, TABLE = "mail", "link", "api", "table"
"""The ways by which a submission comes; by the last one, what a page or a program says to the table."""

SHOWN = {"done": "played", "ignored": "rejected", "failed": "rejected"}
"""How the API names those ends that it has no word of its own for."""

_ID_BITS = 130
_ROWS = Base.metadata.tables[Submission.__tablename__]
"""Written to as a bare table: what is kept here is not looked at again in its transaction."""

_FREE = Submission.hold_until.is_(None)
_WAITS = and_(
    Submission.match_id == bindparam("match"),
    # Written out, so that a plan that is kept for many can use the index of those that are pending.
    Submission.status == literal_column("'pending'"),
    or_(_FREE, Submission.hold_until <= bindparam("now")),
)
_WAITING = select(Submission).where(_WAITS).options(joinedload(Submission.holder).joinedload(Holder.player))
_ANY_WAITING = select(Submission.id).where(_WAITS).limit(1)

_SAME_MAIL = select(Submission.id).where(
    Submission.holder_id == bindparam("holder"),
    Submission.message_id == bindparam("mail"),
    Submission.id != bindparam("own"),
    Submission.ply == bindparam("ply"),
    Submission.status != "pending",
)
_UNCONFIRMED = select(Address.email).where(Address.email == bindparam("sender"), Address.verified_at.is_(None))
_KNOWN = select(_SAME_MAIL.exists(), _UNCONFIRMED.exists())


@dataclass(frozen=True, slots=True)
class Status:
    """How a submission stands: `pending`, `played`, `rejected` or `already_played`, and why."""

    status: str
    reason: str | None


def send_move(ctx: Context, token: Token, via: str, said_ply: int, move: str) -> str:
    """Keep a move that came by link or API; the same token, ply and move again is the same submission.

    Returns the submission's id.
    """
    # What no text column holds is no part of a move, but the rest is still judged and answered.
    move = move.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    once = hashlib.sha256(b"\0".join([b"move", token.hash, str(said_ply).encode(), move.encode()])).digest()
    _keep(ctx, token, once, via=via, text=move, said_ply=said_ply)
    return ctx.session.scalars(select(Submission.id).where(Submission.once == once)).one()


def send_word(ctx: Context, token: Token, said_ply: int, text: str, once: str) -> str:
    """Keep what a page or a program says to the table; the same form sent twice is the same submission.

    Returns the submission's id.
    """
    key = hashlib.sha256("\0".join(["word", token.hash.hex(), str(said_ply), text, once]).encode()).digest()
    _keep(ctx, token, key, via=TABLE, text=text, said_ply=said_ply)
    return ctx.session.scalars(select(Submission.id).where(Submission.once == key)).one()


def fresh_id(ctx: Context) -> str:
    """Draw the name of a submission, which nobody can guess."""
    return tokens.base32(int.from_bytes(ctx.draw(17), "big") >> 6, _ID_BITS // 5)


def verdict_of(ctx: Context, submission: str) -> Status | None:
    """Tell how a submission stands, or None if there is none such."""
    row = ctx.session.get(Submission, submission)
    if row is None:
        return None
    if row.status == "pending" and row.hold_until:
        until = moment(row.hold_until, row.holder.player.zone)
        return Status(row.status, _("It is played on {moment}. Until then you may take it back.", moment=until))
    return Status(SHOWN.get(row.status, row.status), None if row.status == "played" else row.reason)


def waiting(ctx: Context, match_id: str) -> list[Submission]:
    """List what a match was sent and is to be judged now, in the order in which that is done."""
    return sorted(ctx.session.scalars(_WAITING, {"match": match_id, "now": ctx.now}), key=place)


def are_waiting(ctx: Context, match_id: str) -> bool:
    """Tell whether there is anything to be judged now of what a match was sent."""
    return ctx.session.scalar(_ANY_WAITING, {"match": match_id, "now": ctx.now}) is not None


def known(ctx: Context, submission: Submission, message_id: str, sender: str) -> tuple[bool, bool]:
    """Tell of a mail whether it was judged already, and whether its sender's address has yet to be confirmed.

    A relay may have changed its bytes, so that it was kept again.
    """
    mail = {"holder": submission.holder_id, "mail": message_id, "own": submission.id, "ply": submission.ply}
    # Nothing that is not written yet is asked for.
    seen, unconfirmed = ctx.session.connection().execute(_KNOWN, mail | {"sender": sender}).one()
    return bool(message_id) and seen, unconfirmed


def place(submission: Submission) -> tuple[datetime, str]:
    """Give what puts submissions in order: when each was received, or until when it was held."""
    return submission.hold_until or submission.received_at, submission.id


def overlooked(now: datetime, before: datetime) -> ColumnElement[bool]:
    """Say which submissions should have been judged, and have waited since some moment or are held no more."""
    since = or_(and_(_FREE, Submission.received_at < before), Submission.hold_until <= now)
    return and_(Submission.status == "pending", since)


def _keep(ctx: Context, token: Token, once: bytes, **what: Any) -> bool:
    row = {
        "id": fresh_id(ctx),
        "match_id": token.holder.match_id,
        "holder_id": token.holder_id,
        "ply": token.ply,
        "once": once,
        "received_at": ctx.now,
    }
    kept = ctx.session.execute(
        insert(_ROWS).values(row | what).on_conflict_do_nothing().returning(Submission.id)
    ).first()
    after_commit(ctx.session, JUDGE, token.holder.match_id)
    if kept:
        once_committed(ctx.session, metrics.count, metrics.ACCEPTS, what["via"])
        with logs.about(submission=logs.short(kept.id), match=token.holder.match_id):
            once_committed(ctx.session, log.info, "kept what came by %s", what["via"])
    return kept is not None
