"""Whose word is believed about a mail's From (RFC 8601)."""

from __future__ import annotations

from email import message_from_bytes, message_from_string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emails.parsing.auth_results import alignment
from emails.parsing.headers import sender
from pbem.play.submissions.sender_policy import Alignment

OURS = "mx.example.net"
PASS, FAIL, NONE = Alignment.PASS, Alignment.FAIL, Alignment.NONE


def said(*above: str, below: str = "", sender: str = "ann@mail.example.org", server: str = OURS) -> Alignment:
    head = "\n".join([*above, "Received: from elsewhere", below, "From: ann@mail.example.org"])
    return alignment(message_from_string(f"{head}\n\nhello\n".replace("\n\nFrom", "\nFrom")), sender, server)


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ("dmarc=pass header.from=mail.example.org", PASS),
        ("dmarc=pass", PASS),
        ("dmarc=pass header.from=example.com", NONE),
        ("dmarc=fail (p=reject dis=none) header.from=mail.example.org", FAIL),
        ("dmarc=temperror header.from=mail.example.org", FAIL),
        ("dmarc=none; spf=pass smtp.mailfrom=ann@mail.example.org", PASS),
        ("spf=pass smtp.mailfrom=example.org", PASS),
        ("spf=pass smtp.mailfrom=bounces.example.com", NONE),
        ("spf=pass", NONE),
        ("dkim=pass header.d=example.org header.s=a", PASS),
        ("dkim=pass header.i=@mail.example.org", PASS),
        ("dkim=fail header.d=example.org; spf=softfail smtp.mailfrom=example.org", NONE),
        ("dkim=pass header.d=ample.org", NONE),
        ("none", NONE),
        ("", NONE),
    ],
)
def test_results_are_of_the_domain_in_from_or_nothing(results: str, verdict: Alignment) -> None:
    assert said(f"Authentication-Results: {OURS}; {results}") is verdict


def test_only_our_server_is_believed_and_only_above_the_first_received() -> None:
    good = f"Authentication-Results: {OURS}; dmarc=pass"
    assert said(below=good) is NONE
    assert said(good.replace(OURS, "mx.example.org")) is NONE
    assert said(good.replace(OURS, f"not.{OURS}")) is NONE
    assert said(good, server="") is NONE
    assert said(f"Authentication-Results: {OURS}; dmarc=fail", good) is FAIL
    assert said(good, f"Authentication-Results: {OURS}; dmarc=fail") is PASS
    assert said("Authentication-Results: mx.example.org; dmarc=fail", good) is PASS


def test_a_mail_that_came_by_no_server_is_vouched_for_by_nobody() -> None:
    result = f"Authentication-Results: {OURS}; dmarc=pass\n"
    author = "From: ann@mail.example.org\n\nhello\n"
    assert alignment(message_from_string(result + author), "ann@mail.example.org", OURS) is NONE
    through = message_from_string(f"{result}Received: from elsewhere\n{author}")
    assert alignment(through, "ann@mail.example.org", OURS) is PASS


def test_what_stands_in_comments_and_folds_is_no_result() -> None:
    assert said(f"Authentication-Results: {OURS} 1 (dmarc=fail; (more));\n  (x) dmarc = pass") is PASS
    assert said(f"Authentication-Results: (mx) {OURS};\n\tdmarc=fail (dmarc=pass)") is FAIL


def test_a_mail_without_an_author_is_vouched_for_by_nobody() -> None:
    assert said(f"Authentication-Results: {OURS}; spf=pass smtp.mailfrom=example.org", sender="") is NONE


VICTIM = "ann@mail.example.org"
HOSTILE = [
    'spf=pass smtp.mailfrom="x; dkim=pass header.d=mail.example.org; y"@evil.example',
    'spf=pass smtp.mailfrom="x; dmarc=pass header.from=mail.example.org; y"@evil.example',
    'dkim=fail reason="bad; dkim=pass header.d=mail.example.org" header.d=evil.example',
    'dkim=fail reason="bad" header.d=evil.example (; dkim=pass header.d=mail.example.org)',
    'dkim=pass header.i="@mail.example.org"@evil.example',
    'dkim=pass header.i="ann@mail.example.org"@evil.example',
    "dkim=pass header.i=mail.example.org@evil.example",
    "dkim=pass header.i=@mail.example.org@evil.example",
    "dkim=pass header.d=evil.example header.i=@mail.example.org",
    "dkim=pass header.d=evil.example header.d=mail.example.org",
    "dkim=pass header.d=org",
    'dkim=pass header.d="evil.example; header.d=mail.example.org"',
    'dkim=pass header.s="header.d=mail.example.org" header.d=evil.example',
    "dkim=pass policy.header.d=mail.example.org",
    "dkim=pass xheader.d=mail.example.org",
    'dkim=pass "header.d"=mail.example.org',
    "dkim=pass header.d=evil.example/mail.example.org",
    "dkim=pass header.d=mail.example.org.evil.example",
    "dkim=pass header.d=evilmail.example.org.",
    'spf=pass smtp.mailfrom="ann@mail.example.org"@evil.example',
    'spf=pass smtp.mailfrom="\\"ann@mail.example.org\\"@evil.example"',
    'spf=pass smtp.mailfrom="ann@mail.example.org" @evil.example smtp.helo=x',
    'spf=pass smtp.mailfrom="ann@mail.example.org" evil.example smtp.helo=x',
    'spf=pass smtp.mailfrom="ann@mail.example.org" evil.example',
    'spf=pass smtp.mailfrom=ann@mail.example.org"evil.example"',
    "spf=pass smtp.helo=mail.example.org",
    "spf smtp.mailfrom=mail.example.org",
    "spf",
    "x-dmarc=pass header.from=mail.example.org",
    "arc=pass header.from=mail.example.org",
    "dmarc=none (dmarc=pass) header.from=mail.example.org",
    "spf=fail smtp.mailfrom=evil.example = pass",
    "spf==pass smtp.mailfrom=mail.example.org",
]
"""Results that a sender had a hand in: whoever reads them by pattern takes the mail for the victim's."""


@pytest.mark.parametrize("results", HOSTILE)
def test_no_value_that_a_sender_chose_is_a_result(results: str) -> None:
    assert said(f"Authentication-Results: {OURS}; {results}") is NONE
    assert said(f"Authentication-Results: {OURS}; dmarc=fail header.from=mail.example.org; {results}") is FAIL


@pytest.mark.parametrize(
    "results",
    [
        'dmarc=pass header.from=mail.example.org reason="unfinished',
        "dmarc=pass header.from=mail.example.org (unfinished",
        "dmarc=pass header.from=mail.example.org unbegun)",
        "dmarc=pass header.from=mail.example.org;" + " " * 70_000,
        "dmarc=pass; dmarc=fail",
        "dmarc= header.from=mail.example.org",
    ],
)
def test_what_cannot_be_read_may_say_that_it_is_forged(results: str) -> None:
    assert said(f"Authentication-Results: {OURS}; {results}") is FAIL


@pytest.mark.parametrize(
    "header",
    [
        f"{OURS.upper()}; dmarc=pass header.from=MAIL.example.org",
        f'"{OURS}" 1; DMARC/1 = Pass (p=none; dis=none) header . from = mail.example.org',
        f"{OURS};\n\tdkim=pass (2048-bit key; unprotected) header.d=example.org header.i=@mail.example.org header.b=a+",
        f'{OURS}; spf=pass (x: "a) b") smtp.mailfrom="ann@mail.example.org"',
        f"{OURS}; spf=pass smtp.mailfrom=ann@mail.example.org",
        f"{OURS}; spf=pass smtp.mailfrom=bounce+ann=example.com@example.org",
        f"{OURS}; spf=none smtp.mailfrom=x.example; dkim=pass header.d=news.mail.example.org",
        f"{OURS}; dkim=pass reason=good header.d=mail.example.org",
    ],
)
def test_what_servers_write_is_read(header: str) -> None:
    assert said(f"Authentication-Results: {header}") is PASS


WORDS = st.lists(
    st.sampled_from(
        [
            *[";", "=", "dkim", "dmarc", "spf", "pass", "header.d", "header.from", "smtp.mailfrom", VICTIM, "@"],
            *["mail.example.org", "evil.example", " ", "\t", "(", ")", "\\\\", '\\\\"', "\n ", "none", OURS],
        ],
    ),
    max_size=20,
).map("".join)


@given(WORDS.filter(lambda text: "(" not in text and ")" not in text))
def test_no_quoted_string_ever_turns_into_a_result(text: str) -> None:
    quoted = '"' + text.replace("\n ", " ") + '"'
    for place in (f"spf=pass smtp.mailfrom={quoted}@evil.example", f"dkim=fail reason={quoted} header.d=evil.example"):
        assert said(f"Authentication-Results: {OURS}; {place}") is not PASS


@given(WORDS.filter(lambda text: text.count("(") == text.count(")")))
def test_no_comment_ever_turns_into_a_result(text: str) -> None:
    comment = "(" + text.replace("\n ", " ").replace("(", "").replace(")", "").replace("\\", "") + ")"
    for place in (f"spf=pass {comment} smtp.mailfrom=evil.example", f"dkim=fail{comment} header.d=evil.example"):
        assert said(f"Authentication-Results: {OURS}; {place}") is not PASS


@pytest.mark.parametrize(
    ("author", "address"),
    [
        ("ann@example.org", "ann@example.org"),
        ('"Smith, Ann" <Ann@Example.ORG>', "ann@example.org"),
        ("Smith, Ann <ann@example.org>", "ann@example.org"),
        ("ann@example.org (Ann (at work))", "ann@example.org"),
        ("'ann@example.org' <ann@example.org>", "ann@example.org"),
        ('"victim@example.org" <x@evil.example>', "x@evil.example"),
        ("=?utf-8?q?victim=40example=2Eorg?= <x@evil.example>", "x@evil.example"),
        ('victim@example.org <"x"@evil.example>', ""),
        ('Ann <"victim@example.org"@evil.example>', ""),
        ("victim@example.org <x@evil.example>", ""),
        ("victim@example.org, x@evil.example", ""),
        ("Ann <victim@example.org>, Eve <x@evil.example>", ""),
        ("Ann <victim\u200b@example.org>", ""),
        ("Ann <victim@exam\u200bple.org>", ""),
        ("Ann <victim@example.org\u2060>", ""),
        ("Ann <\u202evictim@example.org>", ""),
        ("fran\u212a@example.org", "fran\u212a@example.org"),
        ("ann@example.org" + " " * 1000 + "<x@evil.example>", ""),
        ('"unfinished <victim@example.org>', ""),
        ("(unfinished <victim@example.org>", ""),
        ("\x1f<victim@example.org>", ""),
        ("Ann <@a.example,@b.example:victim@example.org>", ""),
        ("", ""),
    ],
)
def test_from_is_one_address_that_cannot_be_read_otherwise(author: str, address: str) -> None:
    assert sender(message_from_bytes(f"From: {author}\n\nhello\n".encode())) == address


def test_several_fields_name_nobody() -> None:
    assert sender(message_from_string("From: ann@example.org\nFrom: ann@example.org\n\nhello\n")) == ""
