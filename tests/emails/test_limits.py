"""Hostile mail: what is refused unread, and that everything else is read in a blink."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from emails import limits
from emails.description import describe
from emails.fingerprint import fingerprint
from emails.marker import MARKER
from emails.read import read

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = b"From: a@x.example\nMIME-Version: 1.0\n"
FULL = limits.SIZE - 200
RUNAWAY = 20
"""Seconds of work that nothing comes near: what runs away takes minutes, or has no end."""


def fill(pattern: bytes, size: int = FULL) -> bytes:
    return (pattern * (size // len(pattern) + 1))[:size]


def short(text: bytes) -> bytes:
    """Break the beginning of a text into lines."""
    return b"\n".join(text[at : at + 80] for at in range(0, 40_000, 80))


def nested(levels: int) -> bytes:
    parts = [b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(levels)]
    return HEAD + b"".join(parts) + b"\ntake 7\n"


MULTIPART = HEAD + b"Content-Type: multipart/mixed"
REFUSED = {
    "the mail is larger than 1 MiB": HEAD + b"\n" + fill(b"take 7\n", limits.SIZE),
    "its headers are longer than 64 kB": HEAD + b"a: b\n" * 100_000 + b"\ntake 7\n",
    "it has more than 50,000 lines": HEAD + b"\ntake 7" + fill(b"\n"),
    "it has more than 1,000 boundary lines": MULTIPART + b"; boundary=b\n\n" + fill(b"--b\n\n", 9_000),
    "a header about its content is longer than 2 kB": MULTIPART + fill(b";", 60_000) + b"\n\nx",
    "it has more than 20 parts of parts": nested(1_000),
}
BOMBS = {
    "nested 10,000 times": nested(10_000),
    "100,000 parts": MULTIPART + b"; boundary=b\n\n" + b"--b\n\nx\n" * 100_000,
    "100,000 headers": b"a: b\n" * 100_000 + b"\ntake 7\n",
    "a line of 10 MB": HEAD + b"\n" + b"x" * 10_000_000,
    "a header of 10 MB": b"Subject: " + b"x" * 10_000_000 + b"\n\ntake 7\n",
    "10 MB of line ends": b"\r\n" * 5_000_000,
    "a header block with other lines": b"From: a@x.example\ntake 7\n" * 3_000 + b"\n" + fill(b"take 7\n"),
    "a boundary of 60 kB": MULTIPART + b'; boundary="' + b"b" * 60_000 + b'"\n\n--b\n\nx\n',
    "parts of parts of reports": HEAD + b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
    + b"--b\nContent-Type: message/delivery-status\n\n" + b"Final-Recipient: rfc822;a@b\n\n" * 20_000,
}  # fmt: skip
HOSTILE = {
    "On On On": fill(b"On "),
    "On <<<": b"On " + fill(b"<"),
    "dashes": fill(b"-"),
    "blank lines": fill(b"\n" + b" " * 40),
    "quote signs": fill(b">"),
    "one line": fill(b"x"),
    "colons": fill(b"a: b@c 2026 9:12\n" + b"d" * 20),
    "equals signs": fill(b"====a"),
    "at signs": fill(b"a@b"),
    "introductions": fill(b"On Nov 21, 2026 at 9:12 AM <a@b> wrote" + b" " * 30),
    "numbers": fill(b"1.1.2026 9:12 "),
    "markers": fill(MARKER[:-8].encode() + b" "),
    "underscores": fill(b"_*_"),
    "rules with names": fill(b"--a"),
    "labels": fill(b"a: "),
    "openers": fill(b"On 1 2026 "),
    "warnings": fill(b"external "),
    "phones": fill(b"sent with "),
    "nonces": fill(b"--- a #"),
    "addresses": fill(b"to a@b.example, "),
    "letters": fill(b"a" * 990 + b"\n"),
}
PAGES = {
    "open tags": fill(b"<a "),
    "open comments": fill(b"<!--"),
    "comments": fill(b"<!---->"),
    "styles": fill(b"<style>"),
    "blockquotes": fill(b"<blockquote>"),
    "breaks": fill(b"<br>"),
    "blanks": b"<p>" + fill(b" \t"),
    "ampersands": b"<p>" + fill(b"&"),
    "styles without an end": fill(b"<style></styl"),
    "styles with an end": fill(b"<style></style"),
    "preformatted lines": b"<pre>" + fill(b"\n" + b" " * 40),
    "marks of quotes": fill(b"<p class=yahoo_quoted>"),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_refused_has_nothing_typed(reason: str) -> None:
    assert limits.refusal(REFUSED[reason]) == reason
    began = time.process_time()
    reading = read(REFUSED[reason])
    assert time.process_time() - began < RUNAWAY
    assert (reading.kind, reading.typed) == ("reply", ())


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_defused(bomb: str) -> None:
    began = time.process_time()
    reading = read(BOMBS[bomb])
    assert time.process_time() - began < RUNAWAY
    assert reading.typed == ()
    describe(BOMBS[bomb])
    assert len(fingerprint(BOMBS[bomb])) == 32


def test_the_edges_are_exact() -> None:
    mail = HEAD + b"\ntake 7\n"
    full = mail + b"x" * (limits.SIZE - len(mail))
    assert read(full).typed[0] == "take 7"
    assert limits.refusal(full + b"x") is not None
    assert limits.refusal(nested(limits.NESTING)) is None
    assert limits.refusal(nested(limits.NESTING + 1)) is not None
    assert read(nested(limits.NESTING)).typed == ("take 7",)


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("before", [b"", b"take 7\n\n"], ids=["alone", "below a move"])
def test_hostile_text_costs_no_time(pattern: str, before: bytes) -> None:
    began = time.process_time()
    reading = read(HEAD + b"\n" + before + HOSTILE[pattern])
    assert time.process_time() - began < RUNAWAY
    assert not before or reading.first_line == "take 7"


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_text_in_short_lines_costs_no_time(pattern: str) -> None:
    began = time.process_time()
    read(HEAD + b"\ntake 7\n" + short(HOSTILE[pattern]))
    assert time.process_time() - began < RUNAWAY


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("cut", [bytes, short], ids=["long lines", "short lines"])
def test_hostile_reports_cost_no_time(pattern: str, cut: Callable[[bytes], bytes]) -> None:
    head = b"From: mailer-daemon@x.example\nTo: games@games.example\nSubject: failure notice\n\n"
    began = time.process_time()
    assert read(head + cut(HOSTILE[pattern])).kind == "bounce"
    assert time.process_time() - began < RUNAWAY


@pytest.mark.parametrize("pattern", PAGES)
def test_hostile_pages_cost_no_time(pattern: str) -> None:
    began = time.process_time()
    reading = read(HEAD + b"Content-Type: text/html\n\n<div>take 7</div>" + PAGES[pattern])
    assert time.process_time() - began < RUNAWAY
    assert reading.first_line == "take 7"


@pytest.mark.parametrize(
    "charset", [b"punycode", b"idna", b"unicode_escape", b"undefined", b"rot13", b"zlib", b"utf-7"]
)
def test_charsets_that_are_traps(charset: bytes) -> None:
    began = time.process_time()
    reading = read(HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\ntake 7\n" + fill(b"x-\\u00"))
    assert time.process_time() - began < RUNAWAY
    assert reading.first_line == "take 7"


@pytest.mark.parametrize("name", [b"From", b"Subject", b"Message-ID", b"Auto-Submitted", b"Content-Type"])
@pytest.mark.parametrize("value", [b"(", b'"', b"=?a?q?x", b"<a@", b';"', b"\xff", b"a b\n "])
def test_hostile_headers_cost_no_time(name: bytes, value: bytes) -> None:
    began = time.process_time()
    read(name + b": " + fill(value, 60_000) + b"\n\ntake 7\n")
    assert time.process_time() - began < RUNAWAY


def test_no_bytes_stop_a_description_or_a_fingerprint() -> None:
    for raw in (b"", b"\0", b"\n", b":", b"\xff" * 100, *HOSTILE.values()):
        assert len(fingerprint(raw)) == 32
        assert describe(raw[:50_000])["kind"] == "reply"


@pytest.mark.slow
def test_the_time_of_everything_hostile() -> None:
    mails = REFUSED | BOMBS
    mails |= {name: HEAD + b"\ntake 7\n\n" + text for name, text in HOSTILE.items()}
    mails |= {f"{name} in short lines": HEAD + b"\ntake 7\n" + short(text) for name, text in HOSTILE.items()}
    mails |= {name: HEAD + b"Content-Type: text/html\n\n<div>take 7</div>" + text for name, text in PAGES.items()}
    for name, raw in mails.items():
        began = time.process_time()
        read(raw)
        print(f"{(time.process_time() - began) * 1000:7.1f} ms  {len(raw) / 1000:8.0f} kB  {name}")  # noqa: T201 (a figure)
