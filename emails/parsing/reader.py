"""Parses a mail: from its raw bytes to the lines that a person typed.

Which line is a move is for the game to decide. Parsing never raises, whatever the bytes, and takes time linear in the
length of the mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails.parsing import auth_results, auto_submitted, body, delivery_reports, limits, quotes_and_signatures
from emails.parsing.headers import answered_message_ids, message_id, sender, subject
from pbem.play.submissions.sender_policy import Alignment

if TYPE_CHECKING:
    from emails.parsing.auto_submitted import Kind


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A parsed mail: its sender, and the newly typed lines, "" between paragraphs.

    `sender` is the address in From in lower case, "" if there is none or if From is ambiguous; `recipients` are the
    addresses that a delivery report names as not reached. Only mail of the kind `reply` has typed lines. `alignment` is
    whether our own mail server vouches for From; `answers` are the Message-IDs of the mails that it answers.
    """

    kind: Kind
    typed: tuple[str, ...]
    sender: str
    message_id: str
    subject: str
    first_line: str | None
    recipients: tuple[str, ...]
    alignment: Alignment = Alignment.NONE
    answers: tuple[str, ...] = ()


def parse_mail(raw: bytes, server: str = "") -> ParsedMail:
    """Parse a mail; one that exceeds the limits has no typed lines.

    `server` is the name of our own mail server, whose verdict on From is trusted.
    """
    message = limits.parse_within_limits(limits.normalize_newlines(raw))
    report = delivery_reports.parse_message(message)
    kind = auto_submitted.classify(message, report)
    typed = quotes_and_signatures.typed_lines(body.lines(message)) if kind == "reply" else ()
    first, unreached = typed[0] if typed else None, report.unreached if report else ()
    author, number = sender(message), message_id(message)
    vouched = auth_results.alignment(message, author, server)
    return ParsedMail(
        kind, typed, author, number, subject(message), first, unreached, vouched, answered_message_ids(message)
    )
