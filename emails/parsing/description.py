"""Describes how a mail is parsed, as plain data for operators."""

from __future__ import annotations

import re

from emails.parsing import body, html_text, limits, quotes
from emails.parsing.headers import decoded
from emails.parsing.reader import read

_PAGE = re.compile(r"<(?:html|body|div|p|br|blockquote|span|table)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HEADER = re.compile(rb"[!-9;-~]+:|From |[ \t]")
_OF_A_MAIL = re.compile(
    rb"^(?:message-id|mime-version|received|return-path|content-type|content-transfer-encoding|delivered-to|from )",
    re.IGNORECASE | re.MULTILINE,
)
_FROM = re.compile(rb"^from:", re.IGNORECASE | re.MULTILINE)
_BESIDES = re.compile(rb"^(?:date|to|subject):", re.IGNORECASE | re.MULTILINE)
_SENT = re.compile(rb"^sent:", re.IGNORECASE | re.MULTILINE)


def describe(raw: bytes) -> dict[str, object]:
    """Return how a mail is parsed; bytes that are no whole mail are taken for a body, plain or HTML."""
    if is_mail(raw):
        reading = read(raw)
        kind, typed, recipients = str(reading.kind), reading.typed, reading.recipients
    else:
        text = decoded(raw, "")
        typed = quotes.typed(body.bounded(html_text.plain(text) if _PAGE.search(text) else text))
        kind, recipients = "reply", ()
    first = typed[0] if typed else None
    return {"kind": kind, "first_line": first, "typed": list(typed), "recipients": list(recipients)}


def is_mail(raw: bytes) -> bool:
    """Return whether bytes are a whole mail, not a bare body, which may start with another mail's copied headers."""
    head = limits.header_block(limits.with_lf(raw[: limits.HEADER_BLOCK]))
    if not head or not all(map(_HEADER.match, head.split(b"\n"))):
        return False
    if _OF_A_MAIL.search(head):
        return True
    return bool(_FROM.search(head) and _BESIDES.search(head) and not _SENT.search(head))
