"""Confirming: a mail that came from elsewhere acts only when the seat's own player says that it was theirs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, Notice, Submission
from pbem.db.session import after_commit
from pbem.play import notices, people
from pbem.play.history import lock
from pbem.play.submissions import JUDGE

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.db.models import Holder, Match
    from pbem.play.table import Table

KIND = "wrong sender"
A_DAY = 3
"""So many mails a day ask a seat whether a mail was theirs."""
DAYS = 14
"""How long a mail can be confirmed."""
ADDRESS_DAYS = 3
"""How long an address can be shown to be one's own by the mail that asks for it."""

_MAIL, _ADDRESS = "pbem confirm mail", "pbem confirm address"


def ask(table: Table, match: Match, submission: Submission, sender: str) -> None:
    """Ask the seat's player, at their own address only, whether a mail from another one was theirs."""
    holder = submission.holder
    lately = Notice.created_at > table.now - timedelta(days=1)
    asked = select(func.count()).where(Notice.holder_id == holder.id, Notice.kind == KIND, lately)
    if (table.session.scalar(asked) or 0) >= A_DAY:
        return
    facts = notices.facts_of(table, match, holder)
    facts |= {"sender": sender, "confirm": _signer(table.config, _MAIL).dumps(submission.id)}
    notices.owe(table, KIND, holder, match, facts, once=f"answer {submission.id}")


def submission_of(table: Table, signed: str) -> Submission | None:
    """Find the mail that a link asks about; None for a link that is not ours or too old."""
    found = _read(table.config, _MAIL, signed, DAYS)
    return table.session.get(Submission, found) if isinstance(found, str) else None


def confirm(table: Table, submission: Submission) -> None:
    """Let a mail act after all, as received when it was; judged once more, and only once."""
    lock(table, submission.match_id)
    table.session.refresh(submission)
    if submission.confirmed_at is None:
        submission.confirmed_at, submission.status, submission.judged_at = table.now, "pending", None
        after_commit(table.session, JUDGE, submission.match_id)


def ask_address(table: Table, holder: Holder, email: str) -> None:
    """Have an address show that it is its player's: a mail to it alone, and nothing where somebody else has it."""
    email = people.tidy_email(email)
    row = {"email": email, "player_id": holder.player_id, "created_at": table.now}
    table.session.execute(insert(Address).values(row).on_conflict_do_nothing())
    address = table.session.get_one(Address, email)
    if address.player_id != holder.player_id or address.verified_at:
        return
    signed = _signer(table.config, _ADDRESS).dumps([holder.player_id, email])
    facts = {"name": holder.name, "language": holder.player.language, "confirm": signed}
    once = f"address {holder.player_id} {email} {table.now.date()}"
    notices.owe_mail(table, "address", email, facts, once=once)


def address_of(table: Table, signed: str) -> Address | None:
    """Find the address that a link was mailed to; None for a link that is not ours, too old, or no longer meant."""
    found = _read(table.config, _ADDRESS, signed, ADDRESS_DAYS)
    if not isinstance(found, list):
        return None
    address = table.session.get(Address, found[1])
    return address if address and address.player_id == found[0] else None


def _signer(config: Config, salt: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(config.secret_keys), salt=salt)


def _read(config: Config, salt: str, signed: str, days: int) -> object:
    try:
        return _signer(config, salt).loads(signed, max_age=days * 24 * 3600)
    except BadSignature:
        return None
