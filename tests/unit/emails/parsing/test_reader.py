"""Reading whole mails: each file of mails/ as a program wrote it, and what was typed in it."""

from __future__ import annotations

import pytest

from emails.parsing.reader import ParsedMail, parse_mail
from tests.support.places import DATA

MAILS = DATA / "mails"
TYPED: dict[str, tuple[str, ...]] = {
    "apple-mail": ("a1-c3 f3", "", "Good game so far!"),
    "bad-charset": ("take 7 über",),
    "banner": ("take 7",),
    "base64-utf-8": ("take 7", "", "Děkuji!"),
    "bounce": (),
    "bounce-delayed": (),
    "bounce-exim": (),
    "chinese": ("take 7",),
    "cut-base64": ("take 7", "thank"),
    "danish-header-first": ("take 7",),
    "dutch": ("take 7",),
    "empty": (),
    "empty-plain": ("take 7", "more"),
    "finnish-nothing": (),
    "flowed": ("hands AS KS QS JS TS 9S 8S 7S | 9D 8D | -", "", "indented"),
    "flowed-delsp": ("次の手はtake 7です",),
    "forwarded": ("FYI",),
    "french": ("take 7",),
    "german": ("take 7",),
    "gmail": ("take 7",),
    "greeting-first": ("Hi Gil!", "", "take 7"),
    "html-only": ("take 7", "", "Well played & good luck,", "a < b", "", "Hal", "", "x  y", "", "one", "two"),
    "invisible": ("take 7", "next", "line"),
    "italian": ("take 7",),
    "japanese": ("take 7",),
    "latin-1": ("take 7", "", "Schöne Grüße – Ida"),
    "marker-in-line": ("take 7",),
    "marker-reflowed": ("take 7", "", "pbem hat geantwortet"),
    "mutt-inline": ("Yes, at eight.", "", "keep"),
    "no-boundary": (),
    "out-of-office": (),
    "outlook-desktop": ("R3/G2/R1", "", "Bo"),
    "outlook-mobile": ("6-4 3-off",),
    "outlook-web": ("9H",),
    "pgp": ("-5 is no move", "take 7"),
    "phone": ("pass",),
    "polish": ("take 7",),
    "portuguese": ("take 7",),
    "punycode": ("take 7 !",),
    "quote-only": (),
    "russian": ("take 7",),
    "shares-line": ("take 7",),
    "signature-above": ("take 7",),
    "signature-only": (),
    "signed": ("take 7", "", "and good luck"),
    "spanish": ("take 7",),
    "stub": ("take 7",),
    "stub-alone": ("take 7 <html>",),
    "swedish": ("take 7",),
    "outlook-mobile-link": ("6-4 3-off",),
    "thunderbird-below": ("sow c B3, G2 on G3, R2", "", "Best,", "Eve"),
    "thunderbird": ("sow c B3, G2 on G3, R2", "", "Best,", "Eve"),
    "turkish": ("take 7",),
    "wrapped-quote": ("take 7",),
    "yahoo": ("hands AS KS | 9D | -",),
}
KINDS = {"bounce": "bounce", "bounce-exim": "bounce", "bounce-delayed": "automatic", "out-of-office": "automatic"}


def mail(name: str) -> bytes:
    return (MAILS / f"{name}.eml").read_bytes()


def test_every_mail_here_has_its_expectation() -> None:
    assert {path.stem for path in MAILS.glob("*.eml")} == set(TYPED)


@pytest.mark.parametrize("name", sorted(TYPED))
def test_what_was_typed(name: str) -> None:
    reading = parse_mail(mail(name))
    assert (reading.kind, reading.typed) == (KINDS.get(name, "reply"), TYPED[name])
    assert reading.first_line == (TYPED[name][0] if TYPED[name] else None)


@pytest.mark.parametrize("name", sorted(TYPED))
def test_line_ends_change_nothing(name: str) -> None:
    raw = mail(name).replace(b"\r\n", b"\n")
    assert parse_mail(raw.replace(b"\n", b"\r\n")) == parse_mail(raw) == parse_mail(raw.replace(b"\n", b"\r"))


def test_the_headers_that_are_kept() -> None:
    assert parse_mail(mail("outlook-desktop")) == ParsedMail(
        kind="reply",
        typed=("R3/G2/R1", "", "Bo"),
        sender="bo@mail.example",
        message_id="<outlook-desktop@mail.example>",
        subject="Re: [Friday table] Martian Whist",
        first_line="R3/G2/R1",
        recipients=(),
    )


def test_a_subject_is_decoded_and_stays_as_it_is_where_it_cannot_be() -> None:
    assert parse_mail(mail("cut-base64")).subject == "Re: café"
    assert parse_mail(mail("no-boundary")).subject == "=?x-none?q?a?="


@pytest.mark.parametrize(
    ("headers", "sender"),
    [
        (b'From: "b@x.example, <c@x.example>" <A@X.example>\n', "a@x.example"),
        (b"From: a@x.example (<c@x.example>)\n", "a@x.example"),
        (b"From: nobody\n", ""),
        (b"From: a@x.example\nFrom: b@x.example\n", ""),
        (b"Subject: none\n", ""),
        (b"From: M\xfcller <a@x.example>\n", "a@x.example"),
    ],
)
def test_the_sender_is_the_address_and_not_a_name_that_looks_like_one(headers: bytes, sender: str) -> None:
    assert parse_mail(headers + b"\ntake 7\n").sender == sender


@pytest.mark.parametrize("value", [b"<>", b"<[b378@microsoft.example]>", b"", b"\xff\xfe", b"<" * 60_000])
def test_a_message_id_stops_nothing(value: bytes) -> None:
    assert parse_mail(b"From: a@x.example\nMessage-ID: " + value + b"\n\ntake 7\n").typed == ("take 7",)


def test_delivery_reports_name_whom_they_did_not_reach() -> None:
    assert parse_mail(mail("bounce")).recipients == ("anna@mail.example",)
    assert parse_mail(mail("bounce-delayed")).recipients == ("anna@mail.example",)
    assert parse_mail(mail("bounce-exim")).recipients == ("anna@mail.example", "bo@mail.example")
    assert parse_mail(mail("gmail")).recipients == ()


def test_parameters_that_the_standard_parser_cannot_sort_are_survived() -> None:
    raw = b"From: a@x.example\nContent-Type: multipart/mixed; boundary*=a; boundary*0=b\n\n--a\n\ntake 7\n--a--\n"
    assert (parse_mail(raw).sender, parse_mail(raw).typed) == ("a@x.example", ())
