"""Whose word is believed about a mail's From (RFC 8601)."""

from __future__ import annotations

from email import message_from_string

import pytest

from emails.authentication import alignment
from pbem.play.senders import Alignment

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
