"""Reading mail: from raw bytes to what a person typed.

Which typed line is a move is for the game to say. Reading never raises, whatever the bytes, and its time
grows with the length of the mail and no faster.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from typing import TYPE_CHECKING

from emails import automatic, body, limits, quotes

if TYPE_CHECKING:
    from email.message import Message

    from emails.automatic import Kind

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\([^()]*\)")
_ANGLE = re.compile(r"<\s*([^\s<>]{1,256}@[^\s<>]{1,256})\s*>")
_BARE = re.compile(r"[^\s<>()\",;:\[\]]{1,256}@[^\s<>()\",;:]{1,256}")
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
    raw = limits.with_lf(raw)
    head = BytesHeaderParser(policy=compat32).parsebytes(limits.header_block(raw[: limits.HEADER_BLOCK]))
    if limits.refusal(raw):
        return _reading(head, nothing=True)
    try:
        return _reading(BytesParser(policy=compat32).parsebytes(raw))
    except (TypeError, ValueError, LookupError, RecursionError):
        # The standard parser raises on some parameters of multipart (`boundary*=a; boundary*0=b`); and it
        # is the last net: a mail that cannot be read must not stop the ones behind it.
        return _reading(head, nothing=True)


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


def _reading(message: Message, *, nothing: bool = False) -> Reading:
    sender, subject = _sender(message), _subject(message)
    kind = automatic.kind(message, sender, subject)
    typed = () if nothing or kind != "reply" else quotes.typed(body.lines(message))
    first = typed[0] if typed else None
    bounced = automatic.recipients(message)
    return Reading(kind, typed, sender, body.header(message, "message-id"), subject, first, bounced)


def _sender(message: Message) -> str:
    if len(message.get_all("from", [])) != 1:
        return ""
    value = _QUOTED.sub(" ", body.header(message, "from"))
    found = _ANGLE.search(value)
    bare = None if found else _BARE.search(value)
    return (found[1] if found else bare[0] if bare else "").lower()


def _subject(message: Message) -> str:
    value = body.header(message, "subject")
    try:
        return body.visible(str(make_header(decode_header(value))))
    except (MessageError, LookupError, ValueError):
        return body.visible(value)
