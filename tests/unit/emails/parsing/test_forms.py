"""One text in every form that a mail program may give it, and mails broken at random: the same result, no exception."""

# ruff: noqa: RUF001 (words of many languages)
from __future__ import annotations

from email.message import EmailMessage

import pytest

from emails.parsing.reader import parse_mail
from tests.support.emails.parsing.forms import CHARSETS, ENCODINGS, MACHINES, MAILS, WRAPS, break_mails, moves, wrapped
from tests.support.examples import examples

TEXTS = {
    "plain": ("take 7", "take 7\n"),
    "order": ("sow c B3, G2 on G3, R2", "sow c B3, G2 on G3, R2\n\nGood luck!\n"),
    "german": ("König schlägt R2 7H", "König schlägt R2 7H\n\nGrüße\n\nAm 21.11.2026 um 09:12 schrieb Gil:\n> Hallo\n"),
    "russian": ("беру 7", "беру 7\n\nсб, 21 нояб. 2026 г. в 09:12, Gil <gil@x.example>:\n\n> привет\n"),
    "japanese": ("七を取る", "七を取る\n\n2026年11月21日(土) 9:12 Gil <gil@x.example>:\n\n> 元気\n"),
    "nothing": (None, "On 21 Nov 2026 at 9:12, Gil <gil@x.example> wrote:\n> take 1\n"),
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("wrap", WRAPS)
def test_the_same_line_in_every_form(wrap: str, text: str) -> None:
    expected, words = TEXTS[text]
    tried = 0
    for charset in CHARSETS:
        for encoding in ENCODINGS:
            try:
                words.encode(charset)
            except UnicodeEncodeError:
                continue
            if charset == "utf-16" and encoding != "base64":
                continue
            reading = parse_mail(wrapped(wrap, words, charset, encoding))
            assert (reading.first_line, charset, encoding) == (expected, charset, encoding)
            tried += 1
    assert tried >= 4


def test_what_the_standard_library_writes_is_read() -> None:
    message = EmailMessage()
    message["From"] = "Änna <anna@x.example>"
    message["Subject"] = "Ünser Spiel"
    message.set_content("König 7\n")
    message.add_alternative("<p>König 7</p>", subtype="html")
    message.add_attachment(b"take 1", maintype="text", subtype="plain", filename="a.txt")
    reading = parse_mail(message.as_bytes())
    assert (reading.typed, reading.sender, reading.subject) == (("König 7",), "anna@x.example", "Ünser Spiel")


def test_broken_mails_are_read_without_an_exception() -> None:
    break_mails(MAILS, examples(2_000), seed=1)


def test_broken_mails_of_machines_play_nothing() -> None:
    _, typed = break_mails(MACHINES, examples(1_000), seed=3)
    assert moves(typed) == []
