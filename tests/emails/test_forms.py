"""One text in every form that a mail program may give it, and mails broken at random: the same result, no exception."""

# ruff: noqa: RUF001 (words of many languages)
from __future__ import annotations

import base64
import quopri
import random
import re
import resource
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from emails.description import describe
from emails.fingerprint import fingerprint
from emails.read import read
from pbem.games import GAMES
from tests.games.random_play import Match as Deal
from tests.games.random_play import walk
from tests.play.mail_lines import is_move

MAILS = [path.read_bytes() for path in sorted((Path(__file__).parent / "mails").glob("*.eml"))]
PUBLIC = Path(__file__).parents[2].parent / "shared" / "corpus" / "email"
MACHINES = [raw for raw in MAILS if not read(raw).typed and b"take 7" not in raw]
"""Mails of machines, and mails without anything newly typed; where they lie beside the project, public ones too."""
MACHINES += [path.read_bytes() for folder in ("odd", "bounces") for path in sorted((PUBLIC / folder).glob("*-*"))]
ALONE = re.compile(r"\W*(?:\d*|\w)\W*")
TEXTS = {
    "plain": ("take 7", "take 7\n"),
    "order": ("sow c B3, G2 on G3, R2", "sow c B3, G2 on G3, R2\n\nGood luck!\n"),
    "german": ("König schlägt R2 7H", "König schlägt R2 7H\n\nGrüße\n\nAm 21.11.2026 um 09:12 schrieb Gil:\n> Hallo\n"),
    "russian": ("беру 7", "беру 7\n\nсб, 21 нояб. 2026 г. в 09:12, Gil <gil@x.example>:\n\n> привет\n"),
    "japanese": ("七を取る", "七を取る\n\n2026年11月21日(土) 9:12 Gil <gil@x.example>:\n\n> 元気\n"),
    "nothing": (None, "On 21 Nov 2026 at 9:12, Gil <gil@x.example> wrote:\n> take 1\n"),
}
CHARSETS = [
    "utf-8",
    "iso-8859-1",
    "windows-1252",
    "koi8-r",
    "big5",
    "gb2312",
    "iso-2022-jp",
    "shift_jis",
    "euc-jp",
    "utf-16",
]
ENCODINGS = ["8bit", "quoted-printable", "base64"]
WRAPS = ["bare", "flowed", "alternative", "html", "mixed", "signed"]


def page(text: str) -> str:
    return "<html><body>" + text.replace("<", "&lt;").replace("\n", "<br>\n") + "</body></html>"


def part(kind: str, text: str, charset: str, encoding: str) -> bytes:
    data = text.encode(charset)
    if encoding == "quoted-printable":
        data = quopri.encodestring(data)
    elif encoding == "base64":
        data = base64.encodebytes(data)
    flowed = "; format=flowed" if kind == "flowed" else ""
    subtype = "html" if kind == "html" else "plain"
    head = f"Content-Type: text/{subtype}; charset={charset}{flowed}\nContent-Transfer-Encoding: {encoding}\n\n"
    return head.encode() + data


def wrapped(wrap: str, text: str, charset: str, encoding: str) -> bytes:
    head = b"From: Anna <anna@x.example>\nMIME-Version: 1.0\n"
    if wrap in {"bare", "flowed"}:
        return head + part(wrap, text, charset, encoding)
    if wrap == "html":
        return head + part("html", page(text), charset, encoding)
    plain = part("plain", text, charset, encoding)
    second = {
        "alternative": part("html", page(text), charset, encoding),
        "mixed": b'Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment\n\ntake 2\n',
        "signed": b"Content-Type: application/pgp-signature\n\nx\n",
    }[wrap]
    holder = b"Content-Type: multipart/%s; boundary=b\n\n" % wrap.encode()
    return head + holder + b"--b\n" + plain + b"\n--b\n" + second + b"\n--b--\n"


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
            reading = read(wrapped(wrap, words, charset, encoding))
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
    reading = read(message.as_bytes())
    assert (reading.typed, reading.sender, reading.subject) == (("König 7",), "anna@x.example", "Ünser Spiel")


def broken(mails: list[bytes], chance: random.Random) -> bytes:
    raw = bytearray(chance.choice(mails))
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(raw) + 1)
        way = chance.randrange(4)
        if way == 0 and at < len(raw):
            raw[at] ^= 1 << chance.randrange(8)
        elif way == 1:
            del raw[at : at + chance.randrange(60)]
        elif way == 2:
            other = chance.choice(mails)
            begin = chance.randrange(len(other) + 1)
            raw[at:at] = other[begin : begin + chance.randrange(400)]
        else:
            raw[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(6)))
    return bytes(raw)


def break_mails(mails: list[bytes], times: int, seed: int) -> tuple[list[float], list[tuple[str, ...]]]:
    """Read mails that were broken at random; gives how long each took, and what was typed in each."""
    chance = random.Random(seed)
    took, typed = [], []
    for _ in range(times):
        raw = broken(mails, chance)
        began = time.perf_counter()
        reading = read(raw)
        took.append(time.perf_counter() - began)
        typed.append(reading.typed)
        assert reading.kind == "reply" or not reading.typed
        assert all("\n" not in line and line == line.strip() for line in reading.typed)
        "\n".join([*reading.typed, reading.subject, reading.sender]).encode()
        describe(raw[chance.randrange(len(raw) + 1) :])
        assert len(fingerprint(raw)) == 32
    return took, typed


def moves(typed: list[tuple[str, ...]]) -> list[str]:
    """Give the lines that are moves in the first position of some game.

    A number or a letter alone is left out: chance makes any of them, and some are a card or a house.
    """
    deals = [Deal(game, game.seats[0], {}, bytes(32)) for game in GAMES.values()]
    firsts = [(deal.game, next(iter(walk(deal)))) for deal in deals]
    lines = {line for lines in typed for line in lines if not ALONE.fullmatch(line)}
    return [line for line in lines if any(is_move(game, turn.before, turn.seat, line) for game, turn in firsts)]


def test_broken_mails_are_read_without_an_exception() -> None:
    break_mails(MAILS, 2_000, seed=1)


def test_broken_mails_of_machines_play_nothing() -> None:
    _, typed = break_mails(MACHINES, 1_000, seed=3)
    assert moves(typed) == []


@pytest.mark.slow
def test_many_broken_mails_are_read_without_an_exception() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took, _ = break_mails(MAILS, 50_000, seed=2)
    more, typed = break_mails(MACHINES, 50_000, seed=4)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    took = sorted(took + more)
    print(f"{len(took)} broken mails: p99 {took[-len(took) // 100] * 1000:.1f} ms, longest {took[-1] * 1000:.0f} ms")  # noqa: T201
    print(f"memory grew by {grown:.0f} MB")  # noqa: T201 (a figure)
    assert moves(typed) == []
