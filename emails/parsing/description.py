"""Describes how a mail is parsed, as plain data for operators."""

from __future__ import annotations

import re

from emails.parsing import body, html_text, limits, quotes_and_signatures
from emails.parsing.headers import decode
from emails.parsing.reader import parse_mail

_HTML_TAG = re.compile(r"<(?:html|body|div|p|br|blockquote|span|table)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HEADER_LINE = re.compile(rb"[!-9;-~]+:|From |[ \t]")
_MAIL_HEADER = re.compile(
    rb"^(?:message-id|mime-version|received|return-path|content-type|content-transfer-encoding|delivered-to|from )",
    re.IGNORECASE | re.MULTILINE,
)
_FROM = re.compile(rb"^from:", re.IGNORECASE | re.MULTILINE)
_OTHER_HEADER = re.compile(rb"^(?:date|to|subject):", re.IGNORECASE | re.MULTILINE)
_SENT = re.compile(rb"^sent:", re.IGNORECASE | re.MULTILINE)


def describe(raw: bytes) -> dict[str, object]:
    """Return how a mail is parsed; bytes that are no whole mail are taken for a body, plain or HTML."""
    if is_mail(raw):
        reading = parse_mail(raw)
        kind, typed, recipients = str(reading.kind), reading.typed, reading.recipients
    else:
        text = decode(raw, "")
        typed = quotes_and_signatures.typed_lines(
            body.first_lines(html_text.to_text(text) if _HTML_TAG.search(text) else text)
        )
        kind, recipients = "reply", ()
    first = typed[0] if typed else None
    return {"kind": kind, "first_line": first, "typed": list(typed), "recipients": list(recipients)}


def is_mail(raw: bytes) -> bool:
    """Return whether bytes are a whole mail, not a bare body, which may start with another mail's copied headers."""
    head = limits.header_block(limits.normalize_newlines(raw[: limits.MAX_HEADER_BYTES]))
    if not head or not all(map(_HEADER_LINE.match, head.split(b"\n"))):
        return False
    if _MAIL_HEADER.search(head):
        return True
    return bool(_FROM.search(head) and _OTHER_HEADER.search(head) and not _SENT.search(head))
