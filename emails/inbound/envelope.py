"""What the headers of a mail tell before it is stored: its author, its recipients, and whether it loops."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import TYPE_CHECKING

from emails.inbound.mailboxes import is_ours, mailbox_of
from emails.parsing import auto_submitted, delivery_reports, headers
from emails.parsing.display_names import message_id, with_names
from emails.parsing.headers import header, sender
from emails.parsing.limits import HEADER_BLOCK, header_block, with_lf
from pbem.addresses import canonical
from pbem.play.core.tokens import ALPHABET

if TYPE_CHECKING:
    from email.message import Message

    from pbem.config import Config

HOPS = 50
"""Maximum `Received` headers; a mail with more is in a loop."""
REFERENCES = 5
"""Maximum Message-IDs that are looked up of those that a mail refers to."""

_RECEIVED = re.compile(rb"^received:", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(r"[^\s<>()\",;:\[\]]{1,256}@[^\s<>()\",;:]{1,256}")

_OURS = rf"<[{ALPHABET}]{{24}}@%s>"
"""Pattern of the Message-IDs of our own mails."""

_DELIVERED = ("x-original-to", "delivered-to", "envelope-to", "x-envelope-to", "x-forwarded-to")
_WRITTEN = ("to", "cc")


@dataclass(frozen=True, slots=True)
class Head:
    """Sender facts of a mail: the `author` in From, whether it is our `own` mail, and whether a `program` sent it."""

    author: str
    message_id: str
    own: bool
    program: bool


def head_of(config: Config, raw: bytes, envelope_sender: str) -> Head:
    """Return the author of a mail and what kind of sender it has, by its headers and its envelope."""
    message = headers_of(raw)
    author = sender(message)
    program = not envelope_sender or auto_submitted.kind(message, delivery_reports.of(message)) != "reply"
    return Head(author, message_id(message), is_own(config, message, author, envelope_sender), program)


def headers_of(raw: bytes) -> Message:
    """Parse the headers of a mail, up to 64 kB."""
    return BytesHeaderParser(policy=compat32).parsebytes(with_names(header_block(with_lf(raw[:HEADER_BLOCK]))))


def is_looping(raw: bytes) -> bool:
    """Return whether too many machines have relayed a mail."""
    return len(_RECEIVED.findall(header_block(with_lf(raw)))) > HOPS


def is_own(config: Config, message: Message, author: str, envelope_sender: str) -> bool:
    """Return whether a mail is one of ours that came back, even if some of its headers were lost."""
    senders = {author, canonical(envelope_sender)}
    named = is_message_id(config, header(message, "message-id"))
    return named or any(is_ours(config, each) and mailbox_of(config, each) is not None for each in senders)


def is_message_id(config: Config, text: str) -> bool:
    """Return whether a Message-ID has the form of our own."""
    return re.fullmatch(_OURS % re.escape(config.mail_domain), text) is not None


def recipients(config: Config, message: Message) -> list[str]:
    """List the mailboxes of ours that a mail without an envelope is for; those with tokens come first.

    The headers of the delivering machine take precedence over those of the author.
    """
    seats: list[str] = []
    others: list[str] = []
    for names in (_DELIVERED, _WRITTEN):
        for address in _addresses(message, names):
            found = mailbox_of(config, address) if is_ours(config, address) else None
            if found:
                (seats if found[0].has_tokens else others).append(address)
        if seats:
            return list(dict.fromkeys(seats))
    return others[:1]


def answered(config: Config, message: Message) -> list[str]:
    """List the Message-IDs of our own mails that a mail answers, the likeliest first."""
    return [each for each in headers.answered(message) if is_message_id(config, each)][:REFERENCES]


def envelope_sender(message: Message) -> str:
    """Return the Return-Path of a delivered mail, "" for the null sender; its author if no machine noted it."""
    noted = message.get("return-path")
    if noted is None:
        return sender(message)
    return str(noted).strip().strip("<>")


def _addresses(message: Message, names: tuple[str, ...]) -> list[str]:
    texts = [str(value)[:HEADER_BLOCK] for name in names for value in message.get_all(name, [])]
    return [canonical(address) for text in texts for address in _ADDRESS.findall(text)]
