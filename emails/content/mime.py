"""The bytes of a mail: headers of one line each, whatever they contain, and 7-bit parts.

Built without `EmailMessage`, which takes ten times as long; the tests compare the two.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from email.header import Header
from email.utils import formataddr
from functools import lru_cache
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    # Pieces of a mail, which is only joined once: pictures are large.
    _Pieces = list[bytes]

_LINE_WIDTH = 78
_MAX_ENCODED_WORD = 60
"""Maximum length of an encoded word, which leaves room for the name of a header beside it."""
_BASE64_LINE_WIDTH = 76
_BASE64_LINES = Struct(f"{_BASE64_LINE_WIDTH}s" * 16)
"""Cuts several lines at once, in half the time that a slice for each takes."""


@dataclass(frozen=True, slots=True)
class InlineImage:
    """An inline picture, which the HTML refers to by its content id."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file; its name is ours and needs no encoding."""

    filename: str
    kind: str
    data: bytes


@lru_cache(maxsize=1024)
def encode_header(text: str) -> str:
    """Encode text for a header; text that only looks like an encoded word is changed, so that it is not decoded."""
    line = _one_line(text)
    if line.isascii():
        return line.replace("=?", "= ?")
    return Header(line, "utf-8").encode(maxlinelen=_MAX_ENCODED_WORD, linesep="")


@lru_cache(maxsize=1024)
def format_mailbox(name: str, address: str) -> str:
    """Format a sender or recipient: a name and an address."""
    return formataddr((encode_header(name), _one_line(address)))


def alternative(
    headers: Mapping[str, str],
    text: str,
    html: str,
    pictures: Sequence[InlineImage],
    name: str,
    files: Sequence[Attachment] = (),
) -> bytes:
    """Build a mail of a text part, the same as HTML with its pictures, and attached files.

    `name` makes its boundaries unique.
    """
    page = _part('text/html; charset="utf-8"', "quoted-printable", _quoted_printable(html))
    if pictures:
        bodies = [page, *map(_inline_image, pictures)]
        page = _multipart("related", f"related-{name}", bodies, '; type="text/html"')
    plain = _part('text/plain; charset="utf-8"', "quoted-printable", _quoted_printable(text))
    body = _multipart("alternative", f"alternative-{name}", [plain, page])
    if files:
        body = _multipart("mixed", f"mixed-{name}", [body, *map(_attachment, files)])
    return b"".join([_header_block(headers), *body])


def mixed(headers: Mapping[str, str], text: str, attached: bytes, filename: str, name: str) -> bytes:
    """Build a mail of a text and one file."""
    plain = _part('text/plain; charset="utf-8"', "quoted-printable", _quoted_printable(text))
    file = _attachment(Attachment(filename, "application/octet-stream", attached))
    return b"".join([_header_block(headers), *_multipart("mixed", f"mixed-{name}", [plain, file])])


def fold_header(name: str, value: str) -> bytes:
    """Format one folded header; characters that could start another header become spaces."""
    return f"{_folded(name, value)}\r\n".encode("ascii", "replace")


def _header_block(headers: Mapping[str, str]) -> bytes:
    lines = [_folded(name, value) for name, value in headers.items()]
    return "\r\n".join([*lines, "MIME-Version: 1.0\r\n"]).encode("ascii", "replace")


def _one_line(value: str) -> str:
    return value if value.isprintable() else "".join(one if one.isprintable() else " " for one in value).strip()


def _folded(name: str, value: str) -> str:
    line = f"{name}: {_one_line(value)}"
    return line if len(line) <= _LINE_WIDTH else "\r\n".join(_fold_lines(line))


def _fold_lines(line: str) -> Iterator[str]:
    """Fold a header at single spaces; only the first line starts a header."""
    words = re.split(r"(?<=\S) (?=\S)", line)
    # The name and the first word stay together: some programs ignore a header whose first line is empty.
    begun = " ".join(words[:2])
    for word in words[2:]:
        if len(begun) + 1 + len(word) > _LINE_WIDTH:
            yield begun
            begun = ""
        begun += f" {word}"
    yield begun


def _part(kind: str, encoding: str, body: bytes, *more: str) -> _Pieces:
    lines = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}", *more, "\r\n")
    return ["\r\n".join(lines).encode(), body]


def _inline_image(picture: InlineImage) -> _Pieces:
    more = (f"Content-ID: <{picture.name}>", 'Content-Disposition: inline; filename="board.png"')
    return _part("image/png", "base64", _base64(picture.png), *more)


def _attachment(file: Attachment) -> _Pieces:
    disposition = f'Content-Disposition: attachment; filename="{file.filename}"'
    return _part(file.kind, "base64", _base64(file.data), disposition)


def _multipart(kind: str, boundary: str, parts: Sequence[_Pieces], more: str = "") -> _Pieces:
    pieces = [f'Content-Type: multipart/{kind}{more};\r\n boundary="{boundary}"\r\n\r\n'.encode()]
    begin = f"--{boundary}\r\n".encode()
    for part in parts:
        pieces += [begin, *part, b"\r\n"]
    return [*pieces, f"--{boundary}--\r\n".encode()]


def _quoted_printable(text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    return binascii.b2a_qp(lines.encode(), istext=True)


def _base64(data: bytes) -> bytes:
    written = binascii.b2a_base64(data, newline=False)
    even = len(written) - len(written) % _BASE64_LINES.size
    rest = [written[at : at + _BASE64_LINE_WIDTH] for at in range(even, len(written), _BASE64_LINE_WIDTH)]
    return b"\r\n".join([*chain.from_iterable(_BASE64_LINES.iter_unpack(written[:even])), *rest])
