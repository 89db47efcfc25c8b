"""The fingerprint: the same mail by five ways is one mail, another mail is another."""

from __future__ import annotations

import hashlib

import pytest

from emails.parsing.fingerprint import fingerprint

MAIL = (
    b"Message-ID: <1@x.example>\r\nFrom: Anna\r\n <anna@x.example>\r\nDate: today\r\nSubject: x\r\n\r\n"
    b"take 7\r\nbye\r\n"
)
SAME = {
    "LF": MAIL.replace(b"\r\n", b"\n"),
    "CR": MAIL.replace(b"\r\n", b"\r"),
    "another way": b"Received: by x\r\n (y)\r\nReturn-Path: <anna@x.example>\r\n" + MAIL,
    "trailing blank lines": MAIL + b"\r\n \t\r\n\r\n",
    "no last line end": MAIL[:-2],
    "names in capitals": MAIL.replace(b"Message-ID", b"MESSAGE-Id").replace(b"Date:", b"date: "),
    "folded otherwise": MAIL.replace(b"\r\n <anna", b" <anna").replace(b"Date: ", b"Date:\r\n\t"),
    "headers in another order": b"Date: today\r\n" + MAIL.replace(b"Date: today\r\n", b""),
    "another subject": MAIL.replace(b"Subject: x", b"Subject: y"),
    "a second From": MAIL.replace(b"Subject: x", b"From: Bo"),
}
OTHER = {
    "id": MAIL.replace(b"<1@", b"<2@"),
    "sender": MAIL.replace(b"anna", b"bo"),
    "date": MAIL.replace(b"today", b"tomorrow"),
    "text": MAIL.replace(b"take 7", b"take 8"),
    "a blank in the text": MAIL.replace(b"take 7", b"take 7 "),
    "a blank line within": MAIL.replace(b"7\r\n", b"7\r\n\r\n"),
    "a header moved into the text": MAIL.replace(b"\r\n\r\n", b"\r\n").replace(b"Date", b"\r\nDate"),
}


@pytest.mark.parametrize("way", SAME)
def test_the_same_mail(way: str) -> None:
    assert fingerprint(SAME[way]) == fingerprint(MAIL)


@pytest.mark.parametrize("change", OTHER)
def test_another_mail(change: str) -> None:
    assert fingerprint(OTHER[change]) != fingerprint(MAIL)


def test_the_layout_is_the_documented_one() -> None:
    laid_out = b"message-id:<1@x.example>\nfrom:Anna <anna@x.example>\ndate:today\n\ntake 7\nbye"
    assert fingerprint(MAIL) == hashlib.sha256(laid_out).digest()


@pytest.mark.parametrize(("raw", "body"), [(b"", b""), (b"\n", b""), (b"\nFrom: x\n", b"From: x"), (b"To: x", b"")])
def test_a_mail_without_headers_or_body(raw: bytes, body: bytes) -> None:
    assert fingerprint(raw) == hashlib.sha256(b"message-id:\nfrom:\ndate:\n\n" + body).digest()
