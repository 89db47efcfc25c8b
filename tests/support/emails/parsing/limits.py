"""What tests of limits share."""

from __future__ import annotations

from emails.parsing import limits
from emails.parsing.reply_marker import MARKER

HEAD = b"From: a@x.example\nMIME-Version: 1.0\n"
FULL = limits.MAX_MAIL_BYTES - 200


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
    "the mail is larger than 1 MiB": HEAD + b"\n" + fill(b"take 7\n", limits.MAX_MAIL_BYTES),
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
