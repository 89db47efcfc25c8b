"""What tests of forms share."""

from __future__ import annotations

import base64
import quopri
import random
import re
import time

from emails.parsing.description import describe
from emails.parsing.fingerprint import fingerprint
from emails.parsing.reader import parse_mail
from pbem.games import GAMES
from tests.support.games.random_play import Match as Deal
from tests.support.games.random_play import walk
from tests.support.places import DATA, ROOT
from tests.support.play.conditional_moves.mail_lines import is_move

MAILS = [path.read_bytes() for path in sorted((DATA / "mails").glob("*.eml"))]
PUBLIC = ROOT.parent / "shared" / "corpus" / "email"
MACHINES = [
    *(raw for raw in MAILS if not parse_mail(raw).typed and b"take 7" not in raw),
    *(path.read_bytes() for folder in ("odd", "bounces") for path in sorted((PUBLIC / folder).glob("*-*"))),
]
"""Mails of machines, and mails without anything newly typed; where they lie beside the project, public ones too."""
ALONE = re.compile(r"\W*(?:\d*|\w)\W*")
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
        reading = parse_mail(raw)
        took.append(time.perf_counter() - began)
        typed.append(reading.typed)
        assert reading.kind == "reply" or not reading.typed
        assert all("\n" not in line and line == line.strip() for line in reading.typed)
        "\n".join([*reading.typed, reading.subject, reading.sender]).encode()
        describe(raw[chance.randrange(len(raw) + 1) :])
        assert len(fingerprint(raw)) == 32
    return took, typed


def moves(typed: list[tuple[str, ...]]) -> list[str]:
    """Return the lines that are moves in the first position of some game.

    A number or a letter alone is left out: chance makes any of them, and some are a card or a house.
    """
    deals = [Deal(game, game.seats[0], {}, bytes(32)) for game in GAMES.values()]
    firsts = [(deal.game, next(iter(walk(deal)))) for deal in deals]
    lines = {line for lines in typed for line in lines if not ALONE.fullmatch(line)}
    return [line for line in lines if any(is_move(game, turn.before, turn.seat, line) for game, turn in firsts)]
