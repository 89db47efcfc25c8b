"""The floor's mails: of the bytes of the service's, encoded for each, with nothing in them but a move to reply with."""

from __future__ import annotations

import base64
import binascii
import random

TEXT, HTML, PICTURE = {"receipt": 1_270, "turn": 2_160}, {"receipt": 5_770, "turn": 9_900}, 44_700
"""Bytes of the parts of mails in the service, as the mean of all games."""
BOUNDARY = "=floor="
_LINE = "so stands the match = and so it goes on; “quoted” ends it\n"
_PIXELS = random.Random(1).randbytes(PICTURE)  # noqa: S311 -- bytes that do not shrink, as those of a picture


def _filled(octets: int) -> bytes:
    return (_LINE * (octets // len(_LINE.encode()) + 1)).encode()[:octets]


_TEXTS = {kind: _filled(octets) for kind, octets in TEXT.items()}
_HTMLS = {kind: _filled(octets) for kind, octets in HTML.items()}


def compose(kind: str, match: int, seat: int, ply: int, email: str, message_id: str) -> bytes:
    """Write a mail as it goes over the line, without its end."""
    ask = b"  reply #1 for take 7\r\n" if kind == "turn" else b""
    head = (
        f"From: Games <play@floor.localhost>\r\nTo: {email}\r\nReply-To: play+{match}.{seat}.{ply}@floor.localhost\r\n"
        f"Subject: Your {kind}\r\nMessage-ID: {message_id}\r\nReferences: <match.{match}.{seat}@floor.localhost>\r\n"
        f'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{BOUNDARY}"\r\n'
    )
    parts = [
        ("text/plain", "quoted-printable", _quoted(ask + _TEXTS[kind])),
        ("text/html", "quoted-printable", _quoted(_HTMLS[kind])),
    ]
    if kind == "turn":
        parts.append(("image/png", "base64", base64.encodebytes(_PIXELS).replace(b"\n", b"\r\n")))
    written = (
        f"\r\n--{BOUNDARY}\r\nContent-Type: {of}\r\nContent-Transfer-Encoding: {how}\r\n\r\n".encode() + part
        for of, how, part in parts
    )
    return b"".join((head.encode(), *written, f"\r\n--{BOUNDARY}--\r\n".encode()))


def _quoted(part: bytes) -> bytes:
    return binascii.b2a_qp(part, istext=True).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
