"""From MIME to text: the lines of a mail's body that may hold a move.

Nothing here relies on what a mail declares: parameters are read by bounded patterns, any charset may be wrong, and
attachments and embedded mails are never opened.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, a2b_qp
from typing import TYPE_CHECKING, cast

from emails.parsing import html_text
from emails.parsing.headers import decode, header, strip_invisible

if TYPE_CHECKING:
    from email.message import Message

MAX_LINES = 200
MAX_CHARACTERS = 16 * 1024
MAX_LINE_LENGTH = 998
"""Maximum line length, as in RFC 5322; the rest of a longer line is ignored."""

_CHARSET = re.compile(r"charset\*?\s*=\s*[\"']*(?:[\w-]*'[\w-]*')?([\w.:+-]+)", re.ASCII | re.IGNORECASE)
_FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
_DELSP = re.compile(r"delsp\s*=\s*\"?yes", re.IGNORECASE)
_ATTACHMENT = re.compile(r"attachment|.*[;\s](?:file)?name(?:\*\d*\*?)?\s*=", re.IGNORECASE)
_STUB = re.compile(r"\bhtml\b|\bbrowser\b", re.IGNORECASE)
_MAX_STUB_LINES = 5
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def lines(message: Message) -> list[str]:
    """Return the first lines of the text that the author meant to show, without invisible characters."""
    return first_lines(_text(message))


def first_lines(text: str) -> list[str]:
    """Return the first lines of a text, without invisible characters."""
    text = strip_invisible(text[: 2 * MAX_CHARACTERS])[:MAX_CHARACTERS]
    return [line[:MAX_LINE_LENGTH] for line in text.split("\n", MAX_LINES)[:MAX_LINES]]


def _text(part: Message) -> str:
    kind, declared = part.get_content_type(), header(part, "content-type")
    if part.is_multipart() and kind.startswith("multipart/"):
        inside = cast("list[Message]", part.get_payload())
        if kind.endswith("/alternative"):
            return _best_alternative(inside)
        return "\n".join(filter(str.strip, map(_text, inside)))
    attached = _ATTACHMENT.match(header(part, "content-disposition")) or _ATTACHMENT.match(declared)
    if attached or kind not in {"text/plain", "text/html"}:
        return ""
    charset = _CHARSET.search(declared)
    text = decode(_decoded_bytes(part), charset[1] if charset else "")
    if kind == "text/html":
        return html_text.to_text(text)
    text = text[: 2 * MAX_CHARACTERS]
    return _unflow(text, delsp=bool(_DELSP.search(declared))) if _FLOWED.search(declared) else text


def _best_alternative(parts: list[Message]) -> str:
    """Return the plain text among alternatives, unless it is empty or only points to the HTML."""
    first = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    plain = _text(first) if first else ""
    said = list(filter(str.strip, plain[:MAX_CHARACTERS].split("\n")))
    if len(said) > _MAX_STUB_LINES or (said and not _STUB.search(plain)):
        return plain
    return next(filter(str.strip, (_text(part) for part in reversed(parts) if part is not first)), plain)


def _decoded_bytes(part: Message) -> bytes:
    encoding = header(part, "content-transfer-encoding").lower()
    # Without the header the parser returns the raw bytes; its own decoders may raise.
    del part["content-transfer-encoding"]
    data = cast("bytes", part.get_payload(decode=True))
    if encoding.startswith("quoted-printable"):
        return a2b_qp(data)
    if encoding.startswith("base64"):
        data = _NOT_BASE64.sub(b"", data)
        return a2b_base64(data[: len(data) - (len(data) % 4 == 1)] + b"==")
    return data


def _unflow(text: str, *, delsp: bool) -> str:
    """Join the soft line breaks of RFC 3676, within each quote depth."""
    joined: list[str] = []
    depth, soft = 0, False
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.lstrip(">")
        deep, bare = len(line) - len(bare), bare.removeprefix(" ")
        if soft and deep == depth and bare.rstrip(" ") != "--":
            joined[-1] += bare
        else:
            joined.append("> " * bool(deep) + bare)
        depth, soft = deep, bare.endswith(" ") and bare != "-- "
        if soft and delsp:
            joined[-1] = joined[-1][:-1]
    return "\n".join(joined)
