"""Hostile mail: what is refused unread, and that everything else is read in a blink."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from emails.parsing import limits
from emails.parsing.description import describe
from emails.parsing.fingerprint import fingerprint
from emails.parsing.reader import parse_mail
from tests.support.emails.parsing.limits import BOMBS, HEAD, HOSTILE, PAGES, REFUSED, fill, nested, short

if TYPE_CHECKING:
    from collections.abc import Callable
RUNAWAY = 20
"""Seconds of work that nothing comes near: what runs away takes minutes, or has no end."""


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_refused_has_nothing_typed(reason: str) -> None:
    assert limits.refusal(REFUSED[reason]) == reason
    began = time.process_time()
    reading = parse_mail(REFUSED[reason])
    assert time.process_time() - began < RUNAWAY
    assert (reading.kind, reading.typed) == ("reply", ())


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_are_defused(bomb: str) -> None:
    began = time.process_time()
    reading = parse_mail(BOMBS[bomb])
    assert time.process_time() - began < RUNAWAY
    assert reading.typed == ()
    describe(BOMBS[bomb])
    assert len(fingerprint(BOMBS[bomb])) == 32


def test_the_edges_are_exact() -> None:
    mail = HEAD + b"\ntake 7\n"
    full = mail + b"x" * (limits.MAX_MAIL_BYTES - len(mail))
    assert parse_mail(full).typed[0] == "take 7"
    assert limits.refusal(full + b"x") is not None
    assert limits.refusal(nested(limits.MAX_NESTING)) is None
    assert limits.refusal(nested(limits.MAX_NESTING + 1)) is not None
    assert parse_mail(nested(limits.MAX_NESTING)).typed == ("take 7",)


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("before", [b"", b"take 7\n\n"], ids=["alone", "below a move"])
def test_hostile_text_costs_no_time(pattern: str, before: bytes) -> None:
    began = time.process_time()
    reading = parse_mail(HEAD + b"\n" + before + HOSTILE[pattern])
    assert time.process_time() - began < RUNAWAY
    assert not before or reading.first_line == "take 7"


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_text_in_short_lines_costs_no_time(pattern: str) -> None:
    began = time.process_time()
    parse_mail(HEAD + b"\ntake 7\n" + short(HOSTILE[pattern]))
    assert time.process_time() - began < RUNAWAY


@pytest.mark.parametrize("pattern", HOSTILE)
@pytest.mark.parametrize("cut", [bytes, short], ids=["long lines", "short lines"])
def test_hostile_reports_cost_no_time(pattern: str, cut: Callable[[bytes], bytes]) -> None:
    head = b"From: mailer-daemon@x.example\nTo: games@games.example\nSubject: failure notice\n\n"
    began = time.process_time()
    assert parse_mail(head + cut(HOSTILE[pattern])).kind == "bounce"
    assert time.process_time() - began < RUNAWAY


@pytest.mark.parametrize("pattern", PAGES)
def test_hostile_pages_cost_no_time(pattern: str) -> None:
    began = time.process_time()
    reading = parse_mail(HEAD + b"Content-Type: text/html\n\n<div>take 7</div>" + PAGES[pattern])
    assert time.process_time() - began < RUNAWAY
    assert reading.first_line == "take 7"


@pytest.mark.parametrize(
    "charset", [b"punycode", b"idna", b"unicode_escape", b"undefined", b"rot13", b"zlib", b"utf-7"]
)
def test_charsets_that_are_traps(charset: bytes) -> None:
    began = time.process_time()
    reading = parse_mail(HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\ntake 7\n" + fill(b"x-\\u00"))
    assert time.process_time() - began < RUNAWAY
    assert reading.first_line == "take 7"


@pytest.mark.parametrize("name", [b"From", b"Subject", b"Message-ID", b"Auto-Submitted", b"Content-Type"])
@pytest.mark.parametrize("value", [b"(", b'"', b"=?a?q?x", b"<a@", b';"', b"\xff", b"a b\n "])
def test_hostile_headers_cost_no_time(name: bytes, value: bytes) -> None:
    began = time.process_time()
    parse_mail(name + b": " + fill(value, 60_000) + b"\n\ntake 7\n")
    assert time.process_time() - began < RUNAWAY


def test_no_bytes_stop_a_description_or_a_fingerprint() -> None:
    for raw in (b"", b"\0", b"\n", b":", b"\xff" * 100, *HOSTILE.values()):
        assert len(fingerprint(raw)) == 32
        assert describe(raw[:50_000])["kind"] == "reply"
