"""From MIME to text: the lines of a mail's body that are worth looking at.

Nothing here trusts a mail's word: parameters are read by bounded patterns, any charset may be a lie, and
attachments and mails inside the mail are never opened.
"""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING, cast

from emails import page
from emails.charsets import decoded, visible
from emails.headers import header

if TYPE_CHECKING:
    from email.message import Message

LINES = 200
CHARACTERS = 16 * 1024
LINE = 998
"""The longest line that RFC 5322 allows; the rest of a longer one is not looked at."""

_CHARSET = re.compile(r"charset\*?\s*=\s*[\"']*(?:[\w-]*'[\w-]*')?([\w.:+-]+)", re.ASCII | re.IGNORECASE)
_FLOWED = re.compile(r"format\s*=\s*\"?flowed", re.IGNORECASE)
_DELSP = re.compile(r"delsp\s*=\s*\"?yes", re.IGNORECASE)
_FILE_NAME = re.compile(r"[;\s](?:file)?name(?:\*\d*\*?)?\s*=", re.IGNORECASE)
_STUB = re.compile(r"\bhtml\b|\bbrowser\b", re.IGNORECASE)
_STUB_LINES = 5
_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def lines(message: Message) -> list[str]:
    """Give the first lines of what the sender's program meant to be read, cleaned of what cannot be seen."""
    return _bounded(_text(message))


def lines_of_file(raw: bytes) -> list[str]:
    """Give the lines of a bare body, which is taken for HTML where it has HTML's tags."""
    text = decoded(raw, "")
    return _bounded(page.plain(text) if page.looks_like(text) else text)


def _bounded(text: str) -> list[str]:
    text = visible(text[: 2 * CHARACTERS])[:CHARACTERS]
    return [line[:LINE] for line in text.split("\n", LINES)[:LINES]]


def _text(part: Message) -> str:
    if part.is_multipart():
        if part.get_content_maintype() != "multipart":
            return ""
        inside = [child for child in part.get_payload() if not isinstance(child, str)]
        if part.get_content_subtype() == "alternative":
            return _choice(inside)
        return "\n".join(filter(str.strip, map(_text, inside)))
    kind = part.get_content_type()
    if kind not in {"text/plain", "text/html"} or _attached(part):
        return ""
    declared = header(part, "content-type")
    charset = _CHARSET.search(declared)
    text = decoded(_bytes(part), charset[1] if charset else "")
    if kind == "text/html":
        return page.plain(text)
    text = text[: 2 * CHARACTERS]
    return _unflowed(text, delsp=bool(_DELSP.search(declared))) if _FLOWED.search(declared) else text


def _choice(parts: list[Message]) -> str:
    first = next((part for part in parts if part.get_content_type() == "text/plain"), None)
    plain = "" if first is None else _text(first)
    said = [line for line in plain[:CHARACTERS].split("\n") if line.strip()]
    if len(said) > _STUB_LINES or (said and not _STUB.search(plain)):
        return plain
    others = (_text(part) for part in reversed(parts) if part is not first)
    return next(filter(str.strip, others), plain)


def _attached(part: Message) -> bool:
    disposition = header(part, "content-disposition")
    named = _FILE_NAME.search(disposition) or _FILE_NAME.search(header(part, "content-type"))
    return bool(named) or disposition.lower().startswith("attachment")


def _bytes(part: Message) -> bytes:
    encoding = header(part, "content-transfer-encoding").lower()
    # Without the header the parser hands out the bytes as they came; its own decoders may raise.
    del part["content-transfer-encoding"]
    data = cast("bytes", part.get_payload(decode=True))
    if encoding.startswith("quoted-printable"):
        return binascii.a2b_qp(data)
    if encoding.startswith("base64"):
        data = _BASE64.sub(b"", data)
        return binascii.a2b_base64(data[: len(data) - (len(data) % 4 == 1)] + b"==")
    return data


def _unflowed(text: str, *, delsp: bool) -> str:
    """Join the soft line breaks of RFC 3676, within one depth of quoting each."""
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
