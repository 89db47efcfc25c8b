"""Submissions: what somebody sent to a seat, kept before they hear that it was taken."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Base, Submission
from pbem.db.session import after_commit
from pbem.play import links

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.table import Table

JUDGE = "judge"
"""The task that judges a match's submissions."""

MAIL, LINK, API = "mail", "link", "api"
"""The ways by which a submission comes."""

SHOWN = {"done": "played", "ignored": "rejected", "failed": "rejected"}
"""How the API names those ends that it has no word of its own for."""

_ID_BITS = 130
_ROWS = Base.metadata.tables[Submission.__tablename__]
"""Written to as a bare table: what is kept here is not looked at again in its transaction."""


@dataclass(frozen=True, slots=True)
class Status:
    """How a submission stands: `pending`, `played`, `rejected` or `already_played`, and why."""

    status: str
    reason: str | None


def send_move(table: Table, token: Token, via: str, said_ply: int, move: str) -> str:
    """Keep a move that came by link or API; the same token, ply and move again is the same submission.

    Returns the submission's id.
    """
    # What no text column holds is no part of a move, but the rest is still judged and answered.
    move = move.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
    once = hashlib.sha256(b"\0".join([b"move", token.hash, str(said_ply).encode(), move.encode()])).digest()
    _keep(table, token, once, via=via, text=move, said_ply=said_ply)
    return table.session.scalars(select(Submission.id).where(Submission.once == once)).one()


def send_mail(table: Table, token: Token, raw: bytes, fingerprint: bytes, *, ignored: bool = False) -> bool:
    """Keep a mail to a seat's reply address; False where the same mail is kept already.

    One to be `ignored` is kept for the operator alone.
    """
    once = hashlib.sha256(b"\0".join([b"mail", token.hash, fingerprint])).digest()
    return _keep(table, token, once, via=MAIL, raw=raw, status="ignored" if ignored else "pending")


def verdict_of(table: Table, submission: str) -> Status | None:
    """Tell how a submission stands, or None if there is none such."""
    row = table.session.get(Submission, submission)
    if row is None:
        return None
    return Status(SHOWN.get(row.status, row.status), None if row.status == "played" else row.reason)


def _keep(table: Table, token: Token, once: bytes, **what: Any) -> bool:
    row = {
        "id": links.base32(int.from_bytes(table.draw(17), "big") >> 6, _ID_BITS // 5),
        "match_id": token.holder.match_id,
        "holder_id": token.holder_id,
        "ply": token.ply,
        "once": once,
        "received_at": table.now,
    }
    kept = table.session.execute(
        insert(_ROWS).values(row | what).on_conflict_do_nothing().returning(Submission.id)
    ).first()
    after_commit(table.session, JUDGE, token.holder.match_id)
    return kept is not None
