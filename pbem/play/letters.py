"""Letters: mails to the service itself, kept; one that asks for a match is answered, all others are forwarded."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DataError, SQLAlchemyError

from pbem.db.models import Address, Letter
from pbem.db.session import after_commit
from pbem.play import commands, matches, notices, openings
from pbem.play.allowances import DAY, Allowed, spend
from pbem.play.senders import ALIGNED, FROM, Alignment, Trust, trust
from pbem.words import speaking

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.judging import Reading
    from pbem.play.table import Table

log = logging.getLogger(__name__)

READ = "letter"
"""The task that reads a letter."""

REFUSED_A_DAY = 5
"""So many letters of one sender a day are told why no match was made."""
STRANGERS_A_DAY = 1
"""So many mails a day go to an address that has yet to be shown to be its owner's, whatever is sent in its name."""


def send(table: Table, recipient: str, sender: str, raw: bytes, fingerprint: bytes, *, forward: bool) -> bool:
    """Keep a mail to the service itself; False where the same mail is kept already.

    With `forward` somebody reads it: this service, if it was sent to its own address, else its operator.
    """
    once = hashlib.sha256(b"\0".join([b"letter", recipient.encode(), fingerprint])).digest()
    to_read = forward and recipient == table.config.service_address
    row = {
        "recipient": recipient, "sender": sender, "raw": raw, "once": once, "received_at": table.now,
        "status": "pending" if to_read else "kept",
    }  # fmt: skip
    kept = table.session.scalar(insert(Letter).values(row).on_conflict_do_nothing().returning(Letter.id))
    if kept is None:
        return False
    if to_read:
        after_commit(table.session, READ, kept)
    elif forward:
        _forward(table, table.session.get_one(Letter, kept))
    return True


def judge(table: Table, number: int, read: Callable[[bytes], Reading]) -> None:
    """Read a letter that waits: make the match that it asks for, or forward it to whoever runs the service."""
    waiting = select(Letter).where(Letter.id == number, Letter.status == "pending").with_for_update(skip_locked=True)
    letter = table.session.scalars(waiting).one_or_none()
    if letter is None:
        return
    try:
        with table.session.begin_nested():
            done = _opened(table, letter, read)
            if not done:
                _forward(table, letter)
        letter.status = "done" if done else "kept"
    except Exception as fault:
        if isinstance(fault, SQLAlchemyError) and not isinstance(fault, DataError):
            raise
        log.exception("could not read letter %s", number)
        letter.status = "failed"
        _forward(table, letter)


def _opened(table: Table, letter: Letter, read: Callable[[bytes], Reading]) -> bool:
    """Make the match that a letter asks for, or tell its writer why not; False where it asks for none."""
    reading = read(letter.raw)
    said = commands.read(reading.typed)
    if said is None or said.command.name != "new" or not reading.sender:
        return False
    address = table.session.get(Address, reading.sender)
    if address is None or address.verified_at is None:
        return _for_a_stranger(table, said.text, reading)
    with speaking(address.player.language):
        host = matches.Guest(address.player.name, address.email)
        try:
            wanted = openings.read(said.text, host)
            policy = ALIGNED if address.player.mail_policy == ALIGNED else FROM
            known = trust(policy, reading.alignment, own=True) is Trust.ACTS
            with table.session.begin_nested():
                openings.make(table, wanted, address.player, known=known, mail=reading.message_id or None)
        except matches.MatchError as refused:
            _refuse(table, letter, address, str(refused), reading)
    return True


def _for_a_stranger(table: Table, text: str, reading: Reading) -> bool:
    """Invite the sender alone to the match, so that they show whose the address is; at most once a day.

    Nothing is told of what is wrong: whoever gets that mail may never have written.
    """
    if reading.alignment is Alignment.FAIL:
        return True
    if spend(table, Allowed("letter of a stranger", reading.sender, STRANGERS_A_DAY, DAY)):
        return True
    host = matches.Guest(openings.name_of(reading.sender), reading.sender)
    try:
        with table.session.begin_nested():
            openings.make(table, openings.read(text, host), None, known=False, mail=reading.message_id or None)
    except matches.MatchError:
        return False
    return True


def _refuse(table: Table, letter: Letter, address: Address, reason: str, reading: Reading) -> None:
    facts = {"reason": reason, "name": address.player.name, "language": address.player.language}
    if spend(table, Allowed("letter refused", address.email, REFUSED_A_DAY, DAY)) is None:
        once, answers = f"not made {letter.id}", reading.message_id or None
        notices.owe_mail(table, "not made", address.email, facts, once=once, answers=answers)


def _forward(table: Table, letter: Letter) -> None:
    """Owe the operator a letter, where one has an address."""
    operator = table.config.operator_email
    if operator:
        facts = {"letter": letter.id, "recipient": letter.recipient, "sender": letter.sender}
        notices.owe_mail(table, "letter", operator, facts, once=f"letter {letter.id}")
