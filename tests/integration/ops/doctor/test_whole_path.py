"""A mail that the service sends to itself, over its whole path; and `pbem doctor` as it is run."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from emails.inbound.smtp_replies import OK, UNKNOWN_MAILBOX
from emails.outbound.relay import deliver_shard
from pbem.cli import main
from pbem.db.models import BounceReport, OutboxMessage, ServiceMail
from pbem.ops.doctor import Level, mail_in
from pbem.ops.doctor.report import check_names
from pbem.play.deliverability import bounces, loopback
from pbem.play.notifications.outbox import shard_of
from pbem.states import OutboxState
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.ops.doctor.whole_path import ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pbem.ops.doctor import CheckContext
    from tests.support.house import House
    from tests.support.ops.doctor.patient import Patient


@contextmanager
def world(house: House, neighbour: Neighbour, change: Callable[[bytes], bytes | None] = bytes) -> Iterator[None]:
    """Be the worker that sends and the mail servers between: what goes out comes in, changed on its way."""
    over = threading.Event()

    def go() -> None:
        while not over.wait(0.02):
            for notice in house.all(select(OutboxMessage).where(OutboxMessage.state == OutboxState.PENDING)):
                deliver_shard(house.engine, house.config, notice.shard)
            while neighbour.taken:
                to, raw = neighbour.taken.pop()
                if brought := change(raw):
                    house.send(brought, to, "bounce@games.example.org")

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(20)


@dataclass(frozen=True, slots=True)
class Sent:
    """A patient whose mail goes to a neighbour, and from there back."""

    house: House
    patient: Patient
    neighbour: Neighbour

    def told(
        self, change: Callable[[bytes], bytes | None] = bytes, patience: float = 20, **changed: Any
    ) -> list[tuple[Level, str]]:
        """Return what "mail in" says."""
        ground = replace(self.patient.with_settings(**changed).ground, mail_timeout=patience)
        with world(replace(self.house, config=ground.config), self.neighbour, change):
            # What it needs is looked at by others.
            return [(said.level, said.text) for said in mail_in.CHECKS[0].run(ground)]


@pytest.fixture
def sent(house: House, patient: Patient) -> Iterator[Sent]:
    neighbour = Neighbour()
    with listening(neighbour) as where:
        yield Sent(house, patient.with_settings(smtp_url=f"smtp://{where}"), neighbour)


UNSIGNED = (Level.WARN, "The test mail came back without a DKIM signature for games.example.org.")


def on_top(*lines: str) -> Callable[[bytes], bytes]:
    return lambda raw: "".join(f"{line}\r\n" for line in lines).encode() + raw


def test_a_mail_goes_out_and_comes_back_and_leaves_nothing_behind(house: House, sent: Sent) -> None:
    well, unsigned = sent.told()
    assert well[0] is Level.PASS
    assert well[1].startswith("The test mail came back after ")
    assert unsigned == UNSIGNED
    assert house.all(select(ServiceMail)) == house.all(select(OutboxMessage)) == []


def test_what_comes_back_shows_how_others_see_our_mail(sent: Sent) -> None:
    results = "Authentication-Results: mx.example.net; spf=softfail smtp.mailfrom=games.example.org; dkim=pass"
    signature = "DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=games; b=x"
    assert sent.told(on_top(results, signature))[1:] == [
        (Level.WARN, "mx.example.net found spf=softfail in our own mail."),
        (Level.WARN, "Your mail server checks who mail is from, but its results are not trusted yet."),
    ]
    assert sent.told(on_top(results.replace("softfail", "pass"), signature), authserv_id="mx.example.net")[1:] == []
    assert sent.told(on_top(signature.replace("example.org", "elsewhere.org")))[1:] == [UNSIGNED]


def test_a_mail_that_does_not_come_back_is_told(sent: Sent) -> None:
    ((level, said),) = sent.told(lambda _raw: None, patience=0.5)
    assert (level, said.split(",")[0]) == (Level.FAIL, "The test mail was sent")


def test_a_mail_that_is_refused_is_told(house: House, sent: Sent) -> None:
    sent.neighbour.at_rcpt = ["550 no such domain", "550 no such domain"]
    ((level, said),) = sent.told()
    assert (level, said) == (Level.FAIL, "The mail server rejected the test mail: no such domain")
    with house.transaction() as ctx:
        loopback.purge(ctx, None)
    assert len(house.all(select(OutboxMessage))) == 1
    with house.transaction() as ctx:
        later = replace(ctx, now=ctx.now + 2 * loopback.PROBE_LIFETIME)
        loopback.purge(later)
    assert house.all(select(OutboxMessage)) == house.all(select(BounceReport)) == []


def test_a_mail_that_nobody_sends_is_told(house: House, patient: Patient) -> None:
    ground: CheckContext = replace(patient.ground, mail_timeout=0.2)
    (said,) = mail_in.CHECKS[0].run(ground)
    assert (said.level, said.text) == (Level.FAIL, "The test mail was not sent.")
    assert [row.state for row in house.all(select(OutboxMessage))] == ["pending"]


def test_only_probes_that_were_sent_are_known(house: House) -> None:
    with house.transaction() as ctx:
        token = loopback.send(ctx)
    raw = b"Message-ID: <1@example.org>\r\n\r\nhello\r\n"
    for address, answer in (
        (f"probe+{token}@games.localhost", OK),
        (f"PROBE-{token.upper()}@games.localhost", OK),
        (f"probe+{token[::-1]}@games.localhost", UNKNOWN_MAILBOX),
        ("probe+x@games.localhost", UNKNOWN_MAILBOX),
        ("probe@games.localhost", UNKNOWN_MAILBOX),
    ):
        assert house.send(raw, address, "") == answer
    assert len(house.all(select(ServiceMail))) == 1


def test_a_report_of_a_probe_is_forgotten_with_it(house: House) -> None:
    with house.transaction() as ctx:
        token = loopback.send(ctx)
        notice = ctx.session.scalars(select(OutboxMessage)).one()
        assert shard_of(notice.recipient) == notice.shard
        bounces.record_bounce(ctx, notice, "hard", "5.1.1", "no such mailbox")
        assert ctx.session.scalars(select(BounceReport)).one().email == notice.recipient
        loopback.purge(ctx, token)
    assert house.all(select(OutboxMessage)) == house.all(select(BounceReport)) == []


def test_the_report_ends_with_what_it_comes_to(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours(house, tmp_path, monkeypatch)
    others = [
        option
        for name in check_names()
        if name not in {"migrations", "keys", "standby"}
        for option in ("--without", name)
    ]
    told = CliRunner().invoke(main, ["doctor", *others])
    assert told.exit_code == 1
    lines = told.stdout.splitlines()
    assert lines[0] == "fail  keys: A key in PBEM_SECRET_KEYS is easy to guess."
    assert lines[1].startswith("      → Let another one sign with `pbem keys --add` and `--sign`")
    assert lines[-1] == "1 passed, 1 with warnings, 1 failed."
    as_json = CliRunner().invoke(main, ["doctor", "--json", *others])
    assert (as_json.exit_code, json.loads(as_json.stdout)["level"]) == (1, "fail")


def test_what_cannot_be_asked_is_refused(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = CliRunner().invoke(main, ["doctor"], env={"DATABASE_URL": ""})
    assert (refused.exit_code, refused.stderr.split(":")[0]) == (2, "DATABASE_URL is not set")
    ours(house, tmp_path, monkeypatch)
    refused = CliRunner().invoke(main, ["doctor", "--without", "weather"])
    assert (refused.exit_code, refused.stderr.split(".")[0]) == (2, "There is no check “weather”")
    refused = CliRunner().invoke(main, ["doctor", "--resolver", "here"])
    assert (refused.exit_code, refused.stderr[:29]) == (2, "--resolver must be an address")
    refused = CliRunner().invoke(main, ["--settings", str(tmp_path / "none"), "doctor"])
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"{tmp_path / 'none'} cannot be read: No such file or directory.\n",
    )
