"""The running service, seen from outside: `pbem up`, asked by HTTP and SMTP, read in its mailboxes."""

from __future__ import annotations

import email
import email.policy
import json
import mailbox
import os
import re
import signal
import smtplib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from functools import lru_cache, partial
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, update

from emails.outbound.maildir import maildir_path
from pbem.db.models import OutboxMessage, SeatHolder
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PARTS = {"web", "worker", "mail", "database", "broker"}
REFUSED = 500


def until(test: Callable[[], Any], seconds: float = 60, pause: float = 0.03) -> Any:
    """Wait for something to come true; what it gave, or the test fails."""
    end = time.monotonic() + seconds
    while not (found := test()):
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(pause)
    return found


@dataclass(frozen=True, slots=True)
class LiveService:
    """A service that runs: its folder, its ports and its process."""

    data: Path
    port: int
    smtp_port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Ask the API; the status and the JSON. Status 0 where nobody answered."""
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except (OSError, ValueError, HTTPException):
            return 0, None

    def read(self, path: str) -> str:
        """Read a page, or what is told to machines."""
        with urllib.request.urlopen(self.url + path, timeout=120) as answer:
            return str(answer.read().decode())

    def start_match(self, game: str, options: dict[str, object], *names: str) -> str:
        """Create a match that everybody accepts by reply; return its id."""
        seats = [{"name": name, "email": address(name)} for name in names]
        status, made = self.ask("/api/matches", {"game": game, "options": options, "seats": seats})
        assert status == 201, made
        for name in names:
            invitations = until(partial(self.mails_about, name, made["id"]))
            assert self.reply(name, invitations[0], "accept")
        return str(made["id"])

    def mails(self, name: str) -> list[EmailMessage]:
        """Read somebody's mails, oldest first."""
        folder = maildir_path(self.data / "mail", address(name))
        # The last of a Maildir's three folders to be made.
        if not (folder / "cur").is_dir():
            return []
        box = mailbox.Maildir(folder, factory=None, create=False)
        return [parsed(str(folder), key) for key in sorted(box.keys(), key=delivery_order)]

    def mails_about(self, name: str, words: str) -> list[EmailMessage]:
        """Read those of somebody's mails that have some words in their text."""
        return [mail for mail in self.mails(name) if words in text_of(mail)]

    def reply(self, name: str, mail: EmailMessage, line: str, seconds: float = 30) -> bool:
        """Reply to a mail as a mail server would: the same bytes again until they are taken; False if refused."""
        answer = EmailMessage()
        answer["From"], answer["To"] = address(name), mail["Reply-To"]
        answer["Message-ID"] = f"<{time.monotonic_ns()}@example.org>"
        answer["In-Reply-To"] = mail["Message-ID"]
        answer.set_content(f"{line}\n\n" + "".join(f"> {quoted}\n" for quoted in text_of(mail).splitlines()))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with smtplib.SMTP("127.0.0.1", self.smtp_port, local_hostname="localhost", timeout=120) as smtp:
                    smtp.send_message(answer)
            except smtplib.SMTPRecipientsRefused as refused:
                if any(code >= REFUSED for code, _ in refused.recipients.values()):
                    return False
            except smtplib.SMTPResponseException as refused:
                if refused.smtp_code >= REFUSED:
                    return False
            except OSError:
                pass
            else:
                return True
            time.sleep(0.1)
        raise AssertionError("the mail was never taken")

    def turn(self, name: str, match: str) -> tuple[EmailMessage, dict[str, Any]] | None:
        """Find the newest mail that asks somebody for a move, with their View; None if it is not their turn."""
        for mail in reversed(self.mails(name)):
            token = token_in(mail)
            view = self.ask(f"/api/seats/{token}")[1] if token else None
            if view and view.get("match") == match:
                # Older ones ask for turns that are over.
                return (mail, view) if view["seat"] in view["to_move"] else None
        return None

    def next_turn(
        self, match: str, names: tuple[str, ...], after: int = 0
    ) -> tuple[str, EmailMessage, dict[str, Any]] | None:
        """Find who is asked for a move later than a ply: their name, mail and View; None while nobody is."""
        turns = ((name, self.turn(name, match)) for name in names)
        return next(((name, *turn) for name, turn in turns if turn and turn[1]["ply"] > after), None)

    def processes(self) -> dict[str, int]:
        """Name the parts that run, and their process numbers."""
        words = {"gunicorn": "web", "workers.app": "worker", "workers.smtp_server": "mail"}
        words |= {"postgres -D": "database", "valkey-server": "broker"}
        found: dict[str, int] = {}
        for pid in sorted(self._descendants()):
            with suppress(OSError):
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                for word, part in words.items():
                    if word in command:
                        found.setdefault(part, pid)
        return found

    def settings(self) -> dict[str, str]:
        """Read the settings that the service's parts were started with."""
        pid = until(lambda: self.processes().get("mail"))
        pairs = (each.partition("=") for each in Path(f"/proc/{pid}/environ").read_text().split("\0"))
        return {name: value for name, _, value in pairs if name}

    def age_page_use(self) -> None:
        """Shift the use of all pages, and the mails held for it, an hour into the past, so that turn mails go out."""
        engine = create_engine(self.settings()["DATABASE_URL"])
        with engine.begin() as connection:
            for moment in (SeatHolder.page_used_at, OutboxMessage.due_at):
                connection.execute(update(moment.class_).values({moment: moment - timedelta(hours=1)}))
        engine.dispose()

    def memory(self) -> int:
        """Add up the proportional memory of all processes of the service, in bytes."""
        total = 0
        for pid in self._descendants() | {self.process.pid}:
            with suppress(OSError):
                for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                    total += int(line.split()[1]) * 1024 if line.startswith("Pss:") else 0
        return total

    def _descendants(self) -> set[int]:
        listed = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True)  # noqa: S607
        numbers = [line.split() for line in listed.stdout.splitlines()[1:]]
        parents = {int(pid): int(parent) for pid, parent in numbers}
        ours = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
            ours |= more
        return ours - {self.process.pid}


@contextmanager
def service(data: Path, **more: str) -> Iterator[LiveService]:
    """Run `pbem up` in a folder for as long as a `with` block lasts."""
    with started((sys.executable, "-m", "pbem"), data, environment(**more), ROOT) as live_service:
        yield live_service


@contextmanager
def started(pbem: Sequence[str], data: Path, env: dict[str, str], here: Path) -> Iterator[LiveService]:
    """Run `pbem up` by some command, in some environment and folder, for as long as a `with` block lasts."""
    port, smtp_port = free_port(), free_port()
    command = [*pbem, "up", "--data", str(data), "--port", str(port), "--smtp-port", str(smtp_port)]
    log = data.with_suffix(".log")
    with log.open("wb") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=env, cwd=here)
    try:
        ready = f"ready http://127.0.0.1:{port}"
        until(lambda: ready in log.read_text().splitlines() or process.poll() is not None, seconds=120)
        assert process.poll() is None, log.read_text()
        yield LiveService(data, port, smtp_port, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which commands find the games from outside, as the tests do."""
    found = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "packages")])
    ours = ("PBEM_", "DATABASE_", "REDIS_")
    return (
        {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        # How full this machine's disk is, is no matter of tests.
        | {"PYTHONPATH": found, "PBEM_MIN_FREE_DISK": "off"}
        | more
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def delivery_order(key: str) -> tuple[int, int, int]:
    """Order a Maildir's names by their time and the number of delivery in one process."""
    found = re.match(r"(\d+)\.M(\d+)P\d+Q(\d+)", key)
    assert found
    return int(found[1]), int(found[2]), int(found[3])


@lru_cache(maxsize=10_000)
def parsed(folder: str, key: str) -> EmailMessage:
    """Read one mail of a mailbox; none of them ever changes."""
    raw = mailbox.Maildir(folder, factory=None, create=False).get_bytes(key)
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    return mail


@lru_cache(maxsize=10_000)
def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def token_in(mail: EmailMessage) -> str | None:
    """Find the token of the link in a mail that asks for a move."""
    return next((word.rpartition("/m/")[2] for word in text_of(mail).split() if "/m/" in word), None)


@pytest.fixture(scope="session")
def live_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveService]:
    """The service as anybody runs it, started once for all tests that leave it whole."""
    with service(tmp_path_factory.mktemp("running") / "data") as live_service:
        yield live_service
