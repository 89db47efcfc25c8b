"""The author and the recipients of a mail, by its headers, before it is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import TYPE_CHECKING

from emails.inbound.mailboxes import find_mailbox, is_local_address
from emails.parsing import auto_submitted, delivery_reports, headers
from emails.parsing.headers import header, message_id, normalize_names, sender
from emails.parsing.limits import MAX_HEADER_BYTES, header_block, normalize_newlines
from pbem.addresses import canonical
from pbem.play.core.tokens import ALPHABET

if TYPE_CHECKING:
    from email.message import Message

    from pbem.config import Config

MAX_REFERENCES = 5
"""Maximum Message-IDs that are looked up of those that a mail refers to."""

_ADDRESS = re.compile(r"[^\s<>()\",;:\[\]]{1,256}@[^\s<>()\",;:]{1,256}")

_OWN_MESSAGE_ID = rf"<[{ALPHABET}]{{24}}@%s>"
"""Pattern of the Message-IDs of our own mails."""

_DELIVERY_HEADERS = ("x-original-to", "delivered-to", "envelope-to", "x-envelope-to", "x-forwarded-to")
_ADDRESSEE_HEADERS = ("to", "cc")


@dataclass(frozen=True, slots=True)
class HeaderSummary:
    """Sender facts of a mail: the `author` in From, whether it is our `own` mail, and whether a `program` sent it."""

    author: str
    message_id: str
    own: bool
    program: bool


def summarize_headers(config: Config, raw: bytes, envelope_sender: str) -> HeaderSummary:
    """Return the author of a mail and what kind of sender it has, by its headers and its envelope."""
    message = parse_headers(raw)
    author = sender(message)
    program = (
        not envelope_sender or auto_submitted.classify(message, delivery_reports.parse_message(message)) != "reply"
    )
    return HeaderSummary(author, message_id(message), is_own(config, message, author, envelope_sender), program)


def parse_headers(raw: bytes) -> Message:
    """Parse the headers of a mail, up to 64 kB."""
    return BytesHeaderParser(policy=compat32).parsebytes(
        normalize_names(header_block(normalize_newlines(raw[:MAX_HEADER_BYTES])))
    )


def is_own(config: Config, message: Message, author: str, envelope_sender: str) -> bool:
    """Return whether a mail is one of ours that came back, even if some of its headers were lost."""
    senders = {author, canonical(envelope_sender)}
    named = is_own_message_id(config, header(message, "message-id"))
    return named or any(is_local_address(config, each) and find_mailbox(config, each) is not None for each in senders)


def is_own_message_id(config: Config, text: str) -> bool:
    """Return whether a Message-ID has the form of our own."""
    return re.fullmatch(_OWN_MESSAGE_ID % re.escape(config.mail_domain), text) is not None


def recipients(config: Config, message: Message) -> list[str]:
    """List the mailboxes of ours that a mail without an envelope is for; those with tokens come first.

    The headers of the delivering machine take precedence over those of the author.
    """
    seats: list[str] = []
    others: list[str] = []
    for names in (_DELIVERY_HEADERS, _ADDRESSEE_HEADERS):
        for address in _addresses(message, names):
            found = find_mailbox(config, address) if is_local_address(config, address) else None
            if found:
                (seats if found[0].has_tokens else others).append(address)
        if seats:
            return list(dict.fromkeys(seats))
    return others[:1]


def answered_message_ids(config: Config, message: Message) -> list[str]:
    """List the Message-IDs of our own mails that a mail answers, the likeliest first."""
    return [each for each in headers.answered_message_ids(message) if is_own_message_id(config, each)][:MAX_REFERENCES]


def envelope_sender(message: Message) -> str:
    """Return the Return-Path of a delivered mail, "" for the null sender; its author if there is none."""
    path = message.get("return-path")
    return sender(message) if path is None else str(path).strip().strip("<>")


def _addresses(message: Message, names: tuple[str, ...]) -> list[str]:
    texts = [str(value)[:MAX_HEADER_BYTES] for name in names for value in message.get_all(name, [])]
    return [canonical(address) for text in texts for address in _ADDRESS.findall(text)]
