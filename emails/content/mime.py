"""A mail's bytes: headers that hold one line each, whatever they are given, and parts in seven bits.

Written straight, because building the same with `EmailMessage` takes ten times as long; the tests hold both beside
each other.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from email.header import Header
from email.utils import formataddr
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WIDTH = 78
_WORD = 60
"""An encoded word is no longer than that, so that there is room for it beside a header's name."""
_BASE64_LINE = 76


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the HTML shows, known there by its content id."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that goes along with a mail; its name is ours and plain."""

    filename: str
    kind: str
    data: bytes


def worded(text: str) -> str:
    """Write text for a header; what looks like an encoded word and is none must not be decoded by anybody."""
    line = _one_line(text)
    if line.isascii():
        return line.replace("=?", "= ?")
    return Header(line, "utf-8").encode(maxlinelen=_WORD, linesep="")


def mailbox(name: str, address: str) -> str:
    """Write whom a mail is from or for."""
    return formataddr((worded(name), _one_line(address)))


def alternative(
    headers: Mapping[str, str],
    text: str,
    html: str,
    pictures: Sequence[Picture],
    name: str,
    files: Sequence[Attached] = (),
) -> bytes:
    """Write a mail that is text first, then the same as HTML with its pictures, then files.

    `name` makes its boundaries.
    """
    page = _part('text/html; charset="utf-8"', "quoted-printable", _quoted(html))
    if pictures:
        bodies = [page, *map(_picture, pictures)]
        page = _several("related", f"related-{name}", bodies, '; type="text/html"')
    plain = _part('text/plain; charset="utf-8"', "quoted-printable", _quoted(text))
    body = _several("alternative", f"alternative-{name}", [plain, page])
    return _headed(headers) + (_several("mixed", f"mixed-{name}", [body, *map(_file, files)]) if files else body)


def mixed(headers: Mapping[str, str], text: str, attached: bytes, filename: str, name: str) -> bytes:
    """Write a mail of a text and one file."""
    plain = _part('text/plain; charset="utf-8"', "quoted-printable", _quoted(text))
    file = _file(Attached(filename, "application/octet-stream", attached))
    return _headed(headers) + _several("mixed", f"mixed-{name}", [plain, file])


def header(name: str, value: str) -> bytes:
    """Write one header, folded, and only one: what could begin another line is a space."""
    return "\r\n".join(_folded(f"{name}: {_one_line(value)}")).encode("ascii", "replace") + b"\r\n"


def _headed(headers: Mapping[str, str]) -> bytes:
    return b"".join(header(name, value) for name, value in headers.items()) + b"MIME-Version: 1.0\r\n"


def _one_line(value: str) -> str:
    return value if value.isprintable() else "".join(one if one.isprintable() else " " for one in value).strip()


def _folded(line: str) -> Iterator[str]:
    """Break a header where it has single spaces; no line but the first begins a header."""
    words = re.split(r"(?<=\S) (?=\S)", line)
    # The name and the first word stay together: a header whose first line is empty is not read everywhere.
    begun = " ".join(words[:2])
    for word in words[2:]:
        if len(begun) + 1 + len(word) > _WIDTH:
            yield begun
            begun = ""
        begun += f" {word}"
    yield begun


def _part(kind: str, encoding: str, body: bytes, *more: str) -> bytes:
    lines = (f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}", *more)
    return "".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + body


def _picture(picture: Picture) -> bytes:
    more = (f"Content-ID: <{picture.name}>", 'Content-Disposition: inline; filename="board.png"')
    return _part("image/png", "base64", _base64(picture.png), *more)


def _file(file: Attached) -> bytes:
    disposition = f'Content-Disposition: attachment; filename="{file.filename}"'
    return _part(file.kind, "base64", _base64(file.data), disposition)


def _several(kind: str, boundary: str, parts: Sequence[bytes], more: str = "") -> bytes:
    line = b"--" + boundary.encode()
    headed = f'Content-Type: multipart/{kind}{more};\r\n boundary="{boundary}"\r\n\r\n'.encode()
    return headed + b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


def _quoted(text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    return binascii.b2a_qp(lines.encode(), istext=True)


def _base64(data: bytes) -> bytes:
    written = binascii.b2a_base64(data, newline=False)
    return b"\r\n".join([written[at : at + _BASE64_LINE] for at in range(0, len(written), _BASE64_LINE)])
