"""`pbem setup`: what its answers write, what it says to publish, and how it is undone; and a whole service by it."""

from __future__ import annotations

import re
import smtplib
import subprocess
import sys
from email.utils import parseaddr
from typing import TYPE_CHECKING

from pbem import settings_file
from tests.support.doctor.nameserver import Zone, name_server
from tests.support.emails.servers import Neighbour, listening
from tests.support.outside import environment, free_port
from tests.support.places import ROOT
from tests.support.setup.setup import OWN, file

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.outside import Running

__all__ = ["file"]


# -- a whole service -----------------------------------------------------------------------------------------------


class Postman(Neighbour):
    """A mail server that hands what it takes to the door of the service, as Postfix does by LMTP."""

    lmtp = 0

    def bring(self) -> None:
        while self.taken:
            to, raw = self.taken.pop()
            with smtplib.LMTP("127.0.0.1", self.lmtp, local_hostname="localhost", timeout=20) as line:
                line.sendmail("", [to], raw)


def test_from_questions_to_a_mail_that_comes_back(file: Path, tmp_path: Path) -> None:
    postman, port, zone = Postman(), free_port(), Zone()
    postman.on_data = postman.bring
    postman.lmtp = free_port()
    settings_file.write(
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
    assert "pass  mail in: A mail to ourselves was sent, and back after " in second.stdout
    for name in ("database", "migrations", "broker", "worker", "beat", "keys", "ways in", "MX", "SPF", "DKIM", "DMARC"):
        assert f"\npass  {name}: " in second.stdout, second.stdout
    assert not (tmp_path / "data" / "run" / "settings").exists()
    assert parseaddr(settings_file.read(file)["PBEM_OPERATOR_EMAIL"])[1] == "me@example.org"


def publish(zone: Zone, said: str) -> None:
    """Publish what is said to be published, as it is pasted."""
    listed = said.partition("Publish in your domain:")[2].partition("Where you rent")[0]
    for line in filter(None, map(str.strip, listed.splitlines())):
        name, kind, value = re.split(r"\s{2,}", line, maxsplit=2)
        zone.has(name.rstrip("."), kind, "10 mx.example.org." if kind == "MX" else value)
    zone.has("mx.example.org", "A", "192.0.2.7")
    assert {("games.example.org", "TXT"), ("_dmarc.games.example.org", "TXT")} <= zone.records.keys()


def test_a_service_that_runs_already_is_looked_at_as_it_runs(file: Path, running: Running) -> None:
    command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(running.data)]
    told = subprocess.run(
        [*command, "--without", "disk", "--patience", "300"], input="".join(f"{each}\n" for each in OWN),
        env=environment(), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stdout + told.stderr
    assert "The service runs already, with the settings that it was started with" in told.stdout
    assert "\npass  mail in: " in told.stdout


def test_a_port_that_is_taken_is_said(file: Path, tmp_path: Path) -> None:
    with listening(Neighbour()) as where:
        command = [sys.executable, "-m", "pbem", "setup", str(file), "--data", str(tmp_path / "data")]
        told = subprocess.run(
            [*command, "--port", where.partition(":")[2]], input="".join(f"{each}\n" for each in OWN),
            env=environment(), cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert told.returncode == 1
    assert "is taken; choose another with --port" in told.stderr
