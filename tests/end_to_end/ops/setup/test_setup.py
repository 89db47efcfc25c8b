"""`pbem setup`: what its answers write, what it says to publish, and how it is undone; and a whole service by it."""

from __future__ import annotations

import re
import smtplib
import subprocess
import sys
from email.utils import parseaddr
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem import env_file
from pbem.cli import main
from pbem.ops.setup import dns_records
from tests.support.emails.inbound.servers import Neighbour, listening
from tests.support.live_service import environment, free_port
from tests.support.ops.doctor.nameserver import Zone, name_server
from tests.support.ops.setup.setup import HOST, OWN, answered, config_of, file
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.live_service import LiveService

__all__ = ["file"]


# -- a whole service -----------------------------------------------------------------------------------------------


class Postman(Neighbour):
    """A mail server that hands what it takes to the door of the service, as Postfix does by LMTP."""

    lmtp = 0

    def bring(self) -> None:
        while self.taken:
            to, raw = self.taken.pop()
            with smtplib.LMTP("127.0.0.1", self.lmtp, local_hostname="localhost", timeout=120) as line:
                line.sendmail("", [to], raw)


def test_from_questions_to_a_mail_that_comes_back(file: Path, tmp_path: Path) -> None:
    postman, port, zone = Postman(), free_port(), Zone()
    postman.on_data = postman.bring
    postman.lmtp = free_port()
    env_file.write(
        file, f"PBEM_LMTP_LISTEN=127.0.0.1:{postman.lmtp}\nPBEM_SMTP_LISTEN=127.0.0.1:{free_port()}\nPBEM_LIMITS=off\n"
    )
    with listening(postman) as where, name_server(zone) as resolver:
        command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(tmp_path / "data")]
        command += ["--port", str(port), "--resolver", resolver, "--without", "disk", "--patience", "300"]
        answers = [f"http://127.0.0.1:{port}", "", "games.example.org", where, "n", "me@example.org"]

        def run(said: list[str]) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                command, input="".join(f"{each}\n" for each in said), env=environment(), cwd=ROOT,
                capture_output=True, text=True, check=False,
            )  # fmt: skip

        first = run(answers)
        assert first.returncode == 1, first.stdout + first.stderr
        assert "fail  SPF: games.example.org has no SPF record." in first.stdout
        publish(zone, first.stdout)
        second = run([""] * 6)
    assert second.returncode == 0, second.stdout + second.stderr
    assert "pass  mail in: The test mail came back after " in second.stdout
    for name in ("database", "migrations", "broker", "worker", "beat", "keys", "ways in", "MX", "SPF", "DKIM", "DMARC"):
        assert f"\npass  {name}: " in second.stdout, second.stdout
    assert not (tmp_path / "data" / "run" / "settings").exists()
    assert parseaddr(env_file.read(file)["PBEM_OPERATOR_EMAIL"])[1] == "me@example.org"


def publish(zone: Zone, said: str) -> None:
    """Publish what is said to be published, as it is pasted."""
    listed = said.partition("Publish these DNS records:")[2].partition("Where you rent")[0]
    for line in filter(None, map(str.strip, listed.splitlines())):
        name, kind, value = re.split(r"\s{2,}", line, maxsplit=2)
        zone.has(name.rstrip("."), kind, "10 mx.example.org." if kind == "MX" else value)
    zone.has("mx.example.org", "A", "192.0.2.7")
    assert {("games.example.org", "TXT"), ("_dmarc.games.example.org", "TXT")} <= zone.records.keys()


def test_a_service_that_runs_already_is_looked_at_as_it_runs(file: Path, live_service: LiveService) -> None:
    command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(live_service.data)]
    told = subprocess.run(
        [*command, "--without", "disk", "--patience", "300"], input="".join(f"{each}\n" for each in OWN),
        env=environment(), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
    assert "The service is already running, with its previous settings" in told.stdout
    assert "\npass  mail in: " in told.stdout


def test_a_port_that_is_taken_is_said(file: Path, tmp_path: Path) -> None:
    with listening(Neighbour()) as where:
        command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(tmp_path / "data")]
        told = subprocess.run(
            [*command, "--port", where.partition(":")[2]], input="".join(f"{each}\n" for each in OWN),
            env=environment(), cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 1
    assert "is in use: choose another with --port" in told.stderr


MAILBOX = [HOST, "1", "club@provider.example", "", "", "", "pass word/1", "me@example.org"]
PROVIDER = [HOST, "2", "", "smtp.service.example", "key", "secret", "", "me@example.org"]


@pytest.mark.parametrize("answers", [MAILBOX, PROVIDER, OWN])
def test_eight_answers_are_enough(file: Path, answers: list[str]) -> None:
    assert len(answers) <= 8
    assert answered(file, answers).exit_code == 0
    # One answer less, and it waits for it.
    assert answered(file.with_name("other"), answers[:-1]).exit_code == 2


def test_one_mailbox_is_all_that_is_needed(file: Path) -> None:
    told = answered(file, MAILBOX)
    assert told.exit_code == 0, told.output
    assert file.stat().st_mode & 0o777 == 0o600
    config = config_of(file)
    assert (config.base_url, config.operator_email) == (HOST, "me@example.org")
    assert config.service_address == "club@provider.example"
    assert config.imap_url == "imaps://club%40provider.example:pass%20word%2F1@imap.provider.example:993/INBOX"
    assert config.smtp_url == "smtps://club%40provider.example:pass%20word%2F1@smtp.provider.example:465"
    assert "pass word" not in told.output
    assert "DATABASE_URL" not in env_file.read(file)
    # Nothing but the pages' address is to be published in another's domain.
    published = told.stdout.partition("Publish these DNS records:")[2].split("\n")
    assert [line for line in published if line.strip()] == [f"  games.example.org.  A  {dns_records.public_address()}"]


def test_a_mail_service_is_given_a_key(file: Path) -> None:
    told = answered(file, PROVIDER)
    assert told.exit_code == 0, told.output
    config = config_of(file)
    assert config.smtp_url == "smtp://key:secret@smtp.service.example:587"
    assert config.mail_domain == "games.example.org"
    assert config.incoming_key
    assert f"  https://mail:{config.incoming_key}@games.example.org/incoming/postmark".strip() in told.stdout
    assert "include:<what your mail service says>" in told.stdout
    again = answered(file, [""] * 8)
    assert again.exit_code == 0, again.output
    assert config_of(file) == config
    mailgun = answered(file, [*[""] * 6, "signing-key", ""])
    assert mailgun.exit_code == 0, mailgun.output
    assert (config_of(file).mailgun_key, config_of(file).incoming_key) == ("signing-key", None)
    assert 'forward("https://games.example.org/incoming/mailgun?mime")' in mailgun.stdout


def test_a_mail_server_of_ones_own_may_sign(file: Path) -> None:
    told = answered(file, OWN)
    assert told.exit_code == 0, told.output
    assert config_of(file).dkim_key is None
    assert (config_of(file).smtp_url, config_of(file).lmtp_listen) == ("smtp://localhost:25", "127.0.0.1:8024")
    assert "  games.example.org.  MX  10 games.example.org." in told.stdout
    assert "<selector>._domainkey" in told.stdout


def test_a_wrong_answer_is_asked_again(file: Path) -> None:
    told = answered(file, ["games.example.org", HOST, "4", "1", "club", *MAILBOX[2:]])
    assert told.exit_code == 0, told.output
    assert "PBEM_BASE_URL must be an address like" in told.output
    assert "PBEM_MAIL_ADDRESS must be an address" in told.output
    assert config_of(file).base_url == HOST


def test_run_again_it_offers_what_was_said_and_keeps_what_it_did_not_ask(file: Path) -> None:
    answered(file, MAILBOX)
    first = env_file.read(file)
    with file.open("a") as more:
        more.write("PBEM_LIMITS=domain=6000\nDATABASE_URL=postgresql://db/pbem\n")
    again = answered(file, [""] * 8)
    assert again.exit_code == 0, again.output
    now = env_file.read(file)
    assert now.pop("PBEM_LIMITS") == "domain=6000"
    assert now.pop("DATABASE_URL") == "postgresql://db/pbem"
    # A service in parts has no data folder to keep keys in.
    keys = now.pop("PBEM_SECRET_KEYS")
    assert len(keys) == 64
    assert now == first
    answered(file, [HOST, "3", *OWN[2:]])
    other = env_file.read(file)
    assert "PBEM_IMAP_URL" not in other
    assert other["PBEM_SECRET_KEYS"] == keys


def test_what_was_done_can_be_undone_and_done_again(file: Path) -> None:
    nothing = answered(file, [], "--undo")
    assert (nothing.exit_code, nothing.stderr.split(":")[0]) == (2, "There is nothing to undo")
    answered(file, MAILBOX)
    first = file.read_text()
    answered(file, PROVIDER)
    second = file.read_text()
    for expected in (first, second, first):
        assert answered(file, [], "--undo").exit_code == 0
        assert file.read_text() == expected
    file.with_name("pbem.env.before").unlink()
    assert answered(file, [], "--undo").stdout.startswith(f"{file} is removed")
    assert not file.exists()
    assert answered(file, [], "--undo").exit_code == 0
    assert file.read_text() == first
    assert {path.name for path in file.parent.iterdir()} == {"pbem.env"}


def test_what_was_before_stays_where_nothing_is_changed(file: Path) -> None:
    answered(file, OWN)
    first = file.read_text()
    answered(file, PROVIDER)
    again = answered(file, [""] * 8)
    assert again.exit_code == 0, again.output
    assert answered(file, [], "--undo").exit_code == 0
    assert file.read_text() == first


def test_a_server_that_is_named_by_its_address_is_offered_as_it_was_said(file: Path) -> None:
    said = [*OWN[:3], "[::1]:2525", *OWN[4:]]
    assert answered(file, said).exit_code == 0
    again = answered(file, [""] * 6)
    assert again.exit_code == 0, again.output
    assert "The mail server [[::1]:2525]:" in again.stdout
    assert config_of(file).smtp_url == "smtp://[::1]:2525"


@pytest.mark.parametrize("wrong", ["localhost:99999", "localhost:abc", ":abc", "::1"])
@pytest.mark.parametrize(("answers", "at"), [(OWN, 3), (MAILBOX, 3), (MAILBOX, 4), (PROVIDER, 3)])
def test_a_server_that_cannot_be_is_asked_for_again(file: Path, answers: list[str], at: int, wrong: str) -> None:
    told = answered(file, [*answers[:at], wrong, *answers[at:]])
    assert told.exit_code == 0, told.output
    assert "Error: PBEM_SMTP_URL must be like smtp://localhost:25" in told.output
    assert wrong not in file.read_text()


@pytest.mark.parametrize("wrong", ["not-an-address", "op@games.example.org"])
def test_an_operator_who_cannot_be_reached_is_asked_for_again(file: Path, wrong: str) -> None:
    told = answered(file, [*OWN[:5], wrong, OWN[5]])
    assert told.exit_code == 0, told.output
    assert "Error: PBEM_OPERATOR_EMAIL must be " in told.output
    assert config_of(file).operator_email == "me@example.org"


def test_what_is_no_setting_is_told_and_kept(file: Path) -> None:
    env_file.write(file, "PBEM_OPERATOR_MAIL=me@example.org\n")
    told = answered(file, OWN)
    assert "PBEM_OPERATOR_MAIL is not a setting and is ignored. Did you mean PBEM_OPERATOR_EMAIL?" in told.stdout
    assert env_file.read(file)["PBEM_OPERATOR_MAIL"] == "me@example.org"


def test_where_nothing_can_be_written_nothing_is(tmp_path: Path) -> None:
    told = answered(tmp_path / "none" / "pbem.env", MAILBOX)
    assert (told.exit_code, told.stderr[:20]) == (2, "Nothing was written:")
    for answers in (MAILBOX[:3], [*OWN[:4], "n"]):
        aborted = answered(tmp_path / "pbem.env", answers)
        assert (aborted.exit_code, aborted.stderr.strip()) == (2, "Nothing was written.")
    refused = CliRunner().invoke(main, ["setup", str(tmp_path / "pbem.env"), "--resolver", "here"])
    assert (refused.exit_code, refused.stderr[:50]) == (2, "Nothing was written: --resolver must be an address")
    assert list(tmp_path.iterdir()) == []


def test_mail_is_signed_here_with_a_key_that_is_made_once(file: Path) -> None:
    told = answered(file, [*OWN[:4], "n", OWN[5]])
    assert told.exit_code == 0, told.output
    key = file.with_name("pbem-dkim.pem")
    assert config_of(file).dkim_key == str(key)
    assert key.stat().st_mode & 0o777 == 0o600
    made = key.read_bytes()
    zone = Zone()
    record = next(line for line in told.stdout.splitlines() if "pbem._domainkey" in line)
    pieces = re.findall(r'"([^"]*)"', record)
    assert max(map(len, pieces)) == 255
    zone.text("pbem._domainkey.games.example.org", "".join(pieces))
    assert answered(file, [""] * 6).exit_code == 0
    assert key.read_bytes() == made
    assert config_of(file).dkim_selector == "pbem"
