"""A mail's bytes: what the standard library would write, and one header a line whatever anybody is called."""

from __future__ import annotations

import email
import random
from email import policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from typing import Any

import pytest

from emails.content.mime import InlineImage, alternative, encode_header, fold_header, format_mailbox, mixed
from tests.support.emails.content.mime import INJECTED


def read(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def shown(value: str) -> str:
    """What a mail program shows of a text: one line, with spaces for what is none."""
    clean = "".join(one if one.isprintable() else " " for one in value).strip()
    return clean.replace("=?", "= ?") if clean.isascii() else clean


@pytest.mark.parametrize("name", INJECTED)
def test_no_name_writes_headers_or_addresses_of_its_own(name: str) -> None:
    headers = {
        "From": format_mailbox("Slow games", "games@games.localhost"),
        "To": format_mailbox(name, "ann@example.org"),
        "Subject": encode_header(f"Martian Whist with {name} [abc12]"),
        "References": "<a@b>",
        "X-Raw": name,
    }
    raw = alternative(headers, "Hello", "<p>Hello</p>", [], "x")
    block = raw.partition(b"\r\n\r\n")[0]
    assert block.isascii()
    assert max(map(len, block.split(b"\r\n"))) <= 998
    message = read(raw)
    assert message.keys() == [*headers, "MIME-Version", "Content-Type"]
    assert [one.addr_spec for one in message["To"].addresses] == ["ann@example.org"]
    assert not message.defects
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    old = email.message_from_bytes(raw)
    assert len(old.keys()) == len(headers) + 2
    wanted = " ".join(shown(f"Martian Whist with {name} [abc12]").encode("utf-8", "replace").decode().split())
    assert " ".join(str(make_header(decode_header(old["Subject"]))).split()) == wanted


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "Zoë Löwe, Duchess", "Ann <a@b>: c;", "ü" * 40, "漢" * 40, 'A "B" \\C', ""]
)
def test_a_name_arrives_as_it_is(name: str) -> None:
    raw = (
        fold_header("To", format_mailbox(name, "ann@example.org"))
        + fold_header("Subject", encode_header(name))
        + b"\r\n"
    )
    message = read(raw)
    # The standard library keeps the space between two encoded words of a name, which is none of the name's.
    (to,) = message["To"].addresses
    assert to.display_name.replace(" ", "") == name.replace(" ", "")
    assert message["Subject"] == name
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_long_headers_are_folded_and_read_as_one() -> None:
    many = " ".join(f"<{number}.{'x' * 24}@games.localhost>" for number in range(10))
    raw = fold_header("References", many)
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert read(raw + b"\r\n")["References"] == many
    assert email.message_from_bytes(raw + b"\r\n", policy=policy.SMTP).as_bytes() == raw + b"\r\n"


def reference(headers: dict[str, str], text: str, html: str, png: bytes) -> EmailMessage:
    """Build the same mail with the standard library."""
    message = EmailMessage(policy=policy.SMTP)
    for name, value in headers.items():
        message[name] = value
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    if png:
        page = list(message.iter_parts())[1]
        page.add_related(png, "image", "png", cid="<board>", filename="board.png", disposition="inline")
    return message


def content(message: EmailMessage) -> list[tuple[str, Any]]:
    return [(part.get_content_type(), part.get_content()) for part in message.walk() if not part.is_multipart()]


@pytest.mark.parametrize("size", [0, 1, 56, 57, 58, 5000])
def test_it_is_what_the_standard_library_writes(size: int) -> None:
    chosen = random.Random(size)
    lines = [
        "",
        ".",
        "From me",
        "a=b",
        "  indented",
        "trailing ",
        "\ttab\t",
        "é" * 90,
        "x" * 200,
        "=" * 80,
        "end=",
        "…",
        "x" * 76,
        "y" * 75 + " ",
        "é" * 25 + "x",
        " " * 77,
        ". ",
    ]
    text = "\n".join(chosen.sample(lines, len(lines))) + "\n"
    headers = {"From": "Slow games <games@games.localhost>", "To": "Ann <ann@example.org>", "Subject": "Minimax [a1]"}
    png = chosen.randbytes(size)
    raw = alternative(headers, text, f"<p>{text}</p>\n", [InlineImage("board", png)] if png else [], "1")
    wanted = reference(headers, text, f"<p>{text}</p>\n", png)
    assert content(read(raw)) == content(read(wanted.as_bytes()))
    assert read(raw).items()[:4] == read(wanted.as_bytes()).items()[:4]
    # Read and written again by the standard library, no byte changes.
    assert email.message_from_bytes(raw, policy=policy.SMTP).as_bytes() == raw
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert b"\r" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    for part in read(raw).walk():
        assert not part.defects


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one_of_mail(end: str) -> None:
    raw = alternative({"From": "games@x.org"}, end.join(["one", "", "two", ""]), "<p></p>", [], "1")
    assert b"\r\n\r\none\r\n\r\ntwo\r\n\r\n--" in raw
    assert b"=0D" not in raw


def test_a_file_is_attached_as_it_came() -> None:
    file = b"From: x\r\n\r\n\xff\x00binary"
    message = read(mixed({"From": "games@x.org"}, "A létter.\n", file, "letter.eml", "1"))
    text, attached = message.iter_parts()
    assert text.get_content().splitlines() == ["A létter."]
    assert (attached.get_content(), attached.get_filename()) == (file, "letter.eml")
