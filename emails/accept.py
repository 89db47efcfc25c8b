"""Taking a mail: committed to the database before its sender hears that it was taken.

Every way in ends here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from emails.answers import LATER, NOT_OURS, OK, TOO_LARGE, UNKNOWN, WELCOME
from emails.limits import SIZE
from emails.mailboxes import Incoming, Kept, is_ours, mailbox_of
from pbem.play.table import open_table

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from emails.answers import Answer
    from pbem.config import Config

log = logging.getLogger(__name__)


def welcome(engine: Engine, config: Config, recipient: str) -> Answer:
    """Tell whether mail for an address would be taken; the same words for every address that is unknown."""
    if not is_ours(config, recipient):
        return NOT_OURS
    found = mailbox_of(recipient)
    if found is None:
        return UNKNOWN
    kind, token = found
    if kind.known is None:
        return WELCOME
    try:
        with open_table(engine, config) as table:
            return WELCOME if kind.known(table, token) else UNKNOWN
    except SQLAlchemyError:
        log.warning("could not look up a recipient", exc_info=True)
        return LATER


def accept(engine: Engine, config: Config, raw: bytes, recipient: str, sender: str) -> Answer:
    """Keep a mail for one recipient; the same mail again is taken and changes nothing.

    `recipient` and `sender` are those of the envelope; an empty sender marks mail that no person sent.
    """
    if len(raw) > SIZE:
        return TOO_LARGE
    if not is_ours(config, recipient):
        return NOT_OURS
    found = mailbox_of(recipient)
    if found is None:
        return UNKNOWN
    kind, token = found
    sender = "".join(character if character.isprintable() else "?" for character in sender)
    try:
        with open_table(engine, config) as table:
            kept = kind.keep(table, Incoming(raw, recipient, token, sender))
            return UNKNOWN if kept is Kept.UNKNOWN else OK
    except SQLAlchemyError:
        log.warning("could not keep a mail", exc_info=True)
        return LATER
