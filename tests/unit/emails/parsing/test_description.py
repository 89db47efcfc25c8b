"""What an operator is told of a mail: as data, and by the command `pbem mail-read`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from emails.parsing.description import describe, is_mail
from pbem.cli import main
from tests.support.places import DATA

if TYPE_CHECKING:
    from pathlib import Path

MAILS = DATA / "mails"


def test_describing_a_whole_mail() -> None:
    assert describe((MAILS / "bounce.eml").read_bytes()) == {
        "kind": "bounce",
        "first_line": None,
        "typed": [],
        "recipients": ["anna@mail.example"],
    }


@pytest.mark.parametrize(
    ("raw", "typed"),
    [
        (b"take 7\n\nOn 2026-11-21 09:12, Gil wrote:\n> take 1\n", ["take 7"]),
        (b"<div>take 7</div><blockquote>take 1</blockquote>", ["take 7"]),
        (b"From: Gil <gil@x.example>\nSent: Monday 9:12\nTo: Anna\n\ntake 7\n", ["take 7"]),
        (b"From: e2\n\nshort\n", ["From: e2", "", "short"]),
        (b"\ntake 7", ["take 7"]),
        (b"", []),
    ],
)
def test_describing_a_bare_body(raw: bytes, typed: list[str]) -> None:
    assert not is_mail(raw)
    assert describe(raw) == {
        "kind": "reply",
        "first_line": typed[0] if typed else None,
        "typed": typed,
        "recipients": [],
    }


def test_a_mail_without_transport_headers_is_still_a_mail() -> None:
    assert is_mail(b"From: a@x.example\nTo: b@x.example\nSubject: x\n\ntake 7\n")


def test_one_line_of_json_for_each_mail(tmp_path: Path) -> None:
    body = tmp_path / "body.txt"
    body.write_bytes("König 7\n> nine".encode())
    files = [MAILS / "gmail.eml", MAILS / "bounce-exim.eml", MAILS / "out-of-office.eml", MAILS / "empty.eml", body]
    done = CliRunner().invoke(main, ["mail-read", *map(str, files)])
    assert (done.exit_code, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(one) for one in told] == [["file", "kind", "first_line", "typed", "recipients"]] * len(files)
    assert [one["file"] for one in told] == list(map(str, files))
    assert [(one["kind"], one["first_line"], one["recipients"]) for one in told] == [
        ("reply", "take 7", []),
        ("bounce", None, ["anna@mail.example", "bo@mail.example"]),
        ("automatic", None, []),
        ("reply", None, []),
        ("reply", "König 7", []),
    ]


def test_a_file_that_cannot_be_opened_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.eml")
    done = CliRunner().invoke(main, ["mail-read", missing, str(tmp_path), str(MAILS / "gmail.eml")])
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [f"{missing}: No such file or directory", f"{tmp_path}: Is a directory"]
    assert [json.loads(line)["first_line"] for line in done.stdout.splitlines()] == ["take 7"]


@pytest.mark.parametrize("raw", [b"", b"\0\xff" * 99, b"From: a@x\n\n" + b"x" * (1 << 20), b"From: a@x\nTo: b\n\n<p>"])
def test_whatever_a_mail_is_like_it_is_described(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "mail"
    file.write_bytes(raw)
    done = CliRunner().invoke(main, ["mail-read", str(file)])
    assert (done.exit_code, done.stdout.count("\n")) == (0, 1)
    assert json.loads(done.stdout)["kind"] == "reply"
