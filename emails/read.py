"""Reading mail: from raw bytes to what a person typed.

Which typed line is a move is for the game to say. Reading never raises, whatever the bytes, and its time
grows with the length of the mail and no faster.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from emails import automatic, body, limits, quotes, reports
from emails.headers import header, sender, subject

if TYPE_CHECKING:
    from email.message import Message

    from emails.automatic import Kind

_HEADER = re.compile(rb"[!-9;-~]+:|From |[ \t]")
_OF_A_MAIL = re.compile(
    rb"^(?:message-id|mime-version|received|return-path|content-type|content-transfer-encoding|delivered-to|from )",
    re.IGNORECASE | re.MULTILINE,
)
_FROM = re.compile(rb"^from:", re.IGNORECASE | re.MULTILINE)
_BESIDES = re.compile(rb"^(?:date|to|subject):", re.IGNORECASE | re.MULTILINE)
_SENT = re.compile(rb"^sent:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a mail says: who sent it, and the lines newly typed, "" between paragraphs.

    `sender` is the address of From in lower case, "" where there is none or where there are several From
    headers; `recipients` are the addresses that a delivery report names as not reached. A mail that is
    no `reply` has nothing typed.
    """

    kind: Kind
    typed: tuple[str, ...]
    sender: str
    message_id: str
    subject: str
    first_line: str | None
    recipients: tuple[str, ...]


def read(raw: bytes) -> Reading:
    """Read a mail as it came over the wire; one that the limits refuse has nothing typed."""
    return _reading(limits.parsed(limits.with_lf(raw)))


def describe(raw: bytes) -> dict[str, object]:
    """Say as plain data how a mail is read; bytes that are no whole mail are taken as a body."""
    if is_mail(raw):
        reading = read(raw)
    else:
        typed = quotes.typed(body.lines_of_file(raw))
        reading = Reading("reply", typed, "", "", "", typed[0] if typed else None, ())
    return {
        "kind": reading.kind,
        "first_line": reading.first_line,
        "typed": list(reading.typed),
        "recipients": list(reading.recipients),
    }


def is_mail(raw: bytes) -> bool:
    """Tell a whole mail from a bare body, which may begin with the copied headers of another mail."""
    head = limits.header_block(limits.with_lf(raw[: limits.HEADER_BLOCK]))
    if not head or not all(map(_HEADER.match, head.split(b"\n"))):
        return False
    if _OF_A_MAIL.search(head):
        return True
    return bool(_FROM.search(head) and _BESIDES.search(head) and not _SENT.search(head))


def _reading(message: Message) -> Reading:
    report = reports.of(message)
    kind = automatic.kind(message, report)
    typed = quotes.typed(body.lines(message)) if kind == "reply" else ()
    return Reading(
        kind=kind,
        typed=typed,
        sender=sender(message),
        message_id=header(message, "message-id"),
        subject=subject(message),
        first_line=typed[0] if typed else None,
        recipients=report.unreached if report else (),
    )
