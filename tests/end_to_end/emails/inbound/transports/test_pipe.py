"""The command that a mail server starts for each mail: its exit status is its answer."""

from __future__ import annotations

import os
import subprocess
import sys
from email.policy import SMTP
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from emails.inbound.smtp_replies import TRY_LATER
from emails.parsing.limits import MAX_MAIL_BYTES
from pbem.db.models import ServiceMail, Submission
from tests.support.house import House, address, reply, settings
from tests.support.live_service import environment

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COMMAND = (sys.executable, "-m", "pbem", "mail-in")


def handed(
    house: House, raw: bytes, *options: str, file: Path | None = None, told: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    url = house.engine.url.render_as_string(hide_password=False)
    ours = settings(url, house.folder)
    if file:
        file.write_text("# ours\n\nexport " + "\n".join(f"{name}='{value}'" for name, value in ours.items()))
        variables, options = environment(), (*options, "--settings", str(file))
    else:
        variables = environment(**ours | dict(told or {}))
    return subprocess.run([*COMMAND, *options], input=raw, capture_output=True, check=False, env=variables)


def answered(house: House, text: str = "help") -> tuple[str, bytes]:
    house.start_match("minimax", 1)
    mail = house.last("Ann")
    return mail.reply_to, reply(mail, text).as_bytes(policy=SMTP)


def test_a_mail_is_kept_and_its_sender_too(house: House, tmp_path: Path) -> None:
    to, raw = answered(house)
    done = handed(house, raw, "--recipient", to, "--sender=ann@example.org", file=tmp_path / "settings")
    assert (done.returncode, done.stdout) == (os.EX_OK, b"2.0.0 Accepted\n"), done.stderr
    assert house.all(select(Submission.raw)) == [b"Return-Path: <ann@example.org>\r\n" + raw]


@pytest.mark.parametrize("variable", ["ORIGINAL_RECIPIENT", "RECIPIENT"])
def test_the_environment_tells_the_envelope_where_no_option_does(house: House, variable: str) -> None:
    to, _ = answered(house)
    raw = b"From: ann@example.org\nTo: somebody@example.org\n\nhelp"
    told = {"ORIGINAL_RECIPIENT": "games-pipe@localhost", variable: to, "SENDER": "MAILER-DAEMON"}
    assert handed(house, raw, told=told).returncode == os.EX_OK
    assert house.all(select(Submission.raw)) == [b"Return-Path: <>\r\n" + raw]


def test_the_headers_tell_it_where_nothing_else_does(house: House) -> None:
    _, raw = answered(house)
    assert handed(house, raw).returncode == os.EX_OK
    assert house.all(select(Submission.raw)) == [b"Return-Path: <ann@example.org>\r\n" + raw]


def test_what_is_for_nobody_here_or_too_large_is_returned(house: House) -> None:
    done = handed(house, b"Hello", "--recipient", f"play+{'0' * 26}@games.localhost", "--sender", "a@x.org")
    assert done.returncode == os.EX_UNAVAILABLE
    assert b"No such mailbox" in done.stdout
    large = b"From: a@x.org\n\n" + b"x" * (3 * MAX_MAIL_BYTES)
    assert handed(house, large, "--recipient", "games@games.localhost").returncode == os.EX_UNAVAILABLE
    assert house.all(select(ServiceMail.id)) == []


@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        (
            {"DATABASE_URL": "postgresql://nobody:secret-word@127.0.0.1:1/nothing"},
            "The database cannot be used: Connection refused",
        ),
        (
            {"DATABASE_URL": ""},
            "Without --settings=FILE, in the environment alone: DATABASE_URL is not set: set it, for example to …",
        ),
        ({"DATABASE_URL": "postgresql://host:port/nothing"}, None),
        ({"PBEM_SECRET_KEYS": "secret-word"}, None),
    ],
)
def test_whatever_is_wrong_here_the_mail_server_keeps_the_mail_and_hears_why(
    house: House, wrong: dict[str, str], cause: str | None
) -> None:
    to = f"games@{house.config.mail_domain}"
    done = handed(house, b"Hello", "--recipient", to, "--sender", address("Ann"), told=wrong)
    assert (done.returncode, done.stdout) == (os.EX_TEMPFAIL, f"{TRY_LATER.text}\n".encode())
    # One line, which the mail server writes to its log, and which holds no secret.
    (told,) = done.stderr.decode().splitlines()
    assert told.startswith("pbem mail-in: ")
    assert cause is None or told.startswith(f"pbem mail-in: {cause.rstrip('…')}")
    assert not any(word in told for word in ("secret-word", "nobody", "Traceback"))


def test_a_database_that_is_not_ours_is_told_from_one_that_is_away(house: House) -> None:
    url = house.engine.url
    for database, said in (
        (url.set(database="nothing-of-this-name"), 'database "nothing-of-this-name" does not exist'),
        (url.set(database="template1"), 'relation "service_mails" does not exist'),
    ):
        told = {"DATABASE_URL": database.render_as_string(hide_password=False)}
        done = handed(house, b"Hello", "--recipient", "games@games.localhost", "--sender=", told=told)
        assert done.returncode == os.EX_TEMPFAIL
        assert said in done.stderr.decode()
        assert len(done.stderr.splitlines()) == 1


def test_settings_that_cannot_be_read_are_no_fault_of_the_mail(house: House, tmp_path: Path) -> None:
    (tmp_path / "no-text").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").write_bytes(b"")
    to = ("--recipient", "games@games.localhost")
    for name, cause in (
        ("nothing", "cannot be read: No such file or directory."),
        ("", "cannot be read: Is a directory."),
        ("no-text", "cannot be read: it is not text."),
        ("empty", "PBEM_SECRET_KEYS is not set"),
    ):
        file = str(tmp_path / name)
        told = {} if name != "empty" else {"PBEM_SECRET_KEYS": ""}
        done = handed(house, b"Hello", *to, "--settings", file, told=told)
        assert done.returncode == os.EX_TEMPFAIL
        assert cause in done.stderr.decode()
        assert len(done.stderr.splitlines()) == 1
        if name in {"nothing", "no-text"}:
            before = subprocess.run(
                [*COMMAND[:-1], "--settings", file, "mail-in"], input=b"Hello", capture_output=True, check=False
            )
            assert before.returncode == os.EX_TEMPFAIL


@pytest.mark.parametrize("options", [["--recipent=games@x"], ["--recipient"], ["games@games.localhost"]])
def test_options_that_are_none_return_no_mail(house: House, options: list[str]) -> None:
    done = handed(house, b"Hello", *options)
    assert (done.returncode, done.stdout) == (os.EX_TEMPFAIL, b"")
    assert len(done.stderr.splitlines()) == 1
    assert b"mail-in: " in done.stderr


def test_without_a_mail_there_is_nothing_to_keep(house: House) -> None:
    to = ("--recipient", "games@games.localhost")
    closed = ["/bin/sh", "-c", '"$@" <&-', "sh", *COMMAND, *to]
    for done in (handed(house, b"", *to), subprocess.run(closed, capture_output=True, check=False)):
        assert done.returncode == os.EX_TEMPFAIL
        assert done.stderr == b"pbem mail-in: There is no mail on standard input.\n"
    assert house.all(select(ServiceMail.id)) == []


def test_what_is_wrong_here_needs_nobody_to_read_it(house: House) -> None:
    told = environment(**settings("postgresql://nobody@127.0.0.1:1/nothing", house.folder))
    to = ("--recipient", "games@games.localhost", "--sender", "a@x.org")
    reader, writer = os.pipe()
    os.close(reader)
    command = [*COMMAND, *to]
    done = subprocess.run(command, input=b"Hello", stdout=writer, stderr=writer, check=False, env=told)
    os.close(writer)
    assert done.returncode == os.EX_TEMPFAIL
