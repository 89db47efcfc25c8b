"""Taking a mail: committed to the database before its sender hears that it was taken.

Every way in ends here.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from emails.fingerprint import fingerprint
from emails.read import read
from pbem.play import letters, links, submissions
from pbem.play.table import open_table

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

LARGEST = 1 << 20
"""A mail of more bytes is refused."""

OWN_NAMES = ("games", "postmaster", "abuse")
"""The mailboxes of the service itself."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sender's machine is told: an SMTP code with its sentence."""

    code: int
    text: str

    @property
    def taken(self) -> bool:
        """Whether the mail is ours now."""
        return self.code == OK.code

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


OK = Answer(250, "2.0.0 Kept; it will be judged in a moment")
WELCOME = Answer(250, "2.1.5 Go ahead")
UNKNOWN = Answer(550, "5.1.1 There is no such mailbox here; use the reply address of your newest mail")
NOT_OURS = Answer(550, "5.7.1 This server takes mail for its own games only")
TOO_LARGE = Answer(552, f"5.3.4 That mail is larger than {LARGEST} bytes; send the move alone, without attachments")
LATER = Answer(451, "4.3.0 The mail cannot be kept right now; try again in a moment")


def welcome(engine: Engine, config: Config, recipient: str) -> Answer:
    """Tell whether mail for an address would be taken; the same words for every address that is unknown."""
    name, _, domain = recipient.rpartition("@")
    if domain.lower() != config.mail_domain:
        return NOT_OURS
    if name.lower() in OWN_NAMES:
        return WELCOME
    token = _token(name)
    if token is None:
        return UNKNOWN
    try:
        with open_table(engine, config) as table:
            return WELCOME if links.find(table, token, links.REPLY) else UNKNOWN
    except SQLAlchemyError:
        log.warning("could not look up a recipient", exc_info=True)
        return LATER


def accept(engine: Engine, config: Config, raw: bytes, recipient: str, sender: str) -> Answer:
    """Keep a mail for one recipient; the same mail again is taken and changes nothing.

    `recipient` and `sender` are those of the envelope; an empty sender marks mail that no person sent.
    """
    if len(raw) > LARGEST:
        return TOO_LARGE
    name, _, domain = recipient.rpartition("@")
    if domain.lower() != config.mail_domain:
        return NOT_OURS
    sender = "".join(character if character.isprintable() else "?" for character in sender)
    # As a mail server does at delivery, so that the raw mail alone tells who sent it.
    stored = b"Return-Path: <" + sender.encode("ascii", "replace") + b">\r\n" + raw
    try:
        with open_table(engine, config) as table:
            if name.lower() in OWN_NAMES:
                # What no person wrote is kept, but forwarding it could be answered by a robot, for ever.
                by_hand = read(stored).kind == "reply"
                letters.send(table, recipient.lower(), sender, stored, fingerprint(raw), forward=by_hand)
                return OK
            token = links.find(table, _token(name) or "", links.REPLY)
            if token is None:
                return UNKNOWN
            submissions.send_mail(table, token, stored, fingerprint(raw))
            return OK
    except SQLAlchemyError:
        log.warning("could not keep a mail", exc_info=True)
        return LATER


def _token(name: str) -> str | None:
    mailbox, _, token = name.partition("+") if "+" in name else name.partition("-")
    return token if mailbox.lower() == "play" and token else None
