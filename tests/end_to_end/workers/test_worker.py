"""The worker, beat and mail processes, as they run behind the pages: over a real broker and a database."""

from __future__ import annotations

import os
import shelve
import signal
import smtplib
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from email.policy import SMTP
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from redis import Redis
from sqlalchemy import select

from pbem.config import from_environment
from pbem.db import session
from pbem.db.models import OutboxMessage
from pbem.db.session import connect
from pbem.states import MatchState, OutboxState
from pbem.task_queue import BEAT_SCHEDULE, QUEUE_NAME, bind, make_celery_app
from tests.support.house import House, reply, settings
from tests.support.live_service import free_port
from tests.support.places import PACKAGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from celery import Celery

QUICK = 300.0
"""Seconds in which everything here should long have happened."""


def environment(database_url: str, valkey: str, folder: Path, **more: str) -> dict[str, str]:
    packages = str(PACKAGES)
    ours = settings(database_url, folder, REDIS_URL=valkey, **more)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return {**kept, **ours, "PYTHONPATH": packages}


@contextmanager
def process(log: Path, environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a part of the service until the block ends."""
    with log.open("wb") as out:
        run = subprocess.Popen(
            (sys.executable, "-m", *arguments), env=environment, stdout=out, stderr=out, cwd=log.parent
        )
        try:
            yield run
        finally:
            run.terminate()
            try:
                run.wait(20)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()


def soon(true: Callable[[], Any], log: Path, within: float = QUICK) -> float:
    """Wait until something is so; gives how long that took."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() < start + within, log.read_text()
        time.sleep(0.02)
    return time.monotonic() - start


@pytest.fixture
def hints(valkey: str) -> Iterator[Callable[[House], None]]:
    """Bind the tasks of a house to the broker, by which this process sends them."""
    before = list(session._sender)
    apps: list[Celery] = []

    def send_for(house: House) -> None:
        apps.append(bind(replace(house.config, redis_url=valkey)))

    yield send_for
    session._sender[:] = before
    for app in apps:
        app.close()


def test_a_worker_judges_and_mails_within_seconds_and_the_sweep_finds_what_was_not_hinted(
    database_url: str, valkey: str, tmp_path: Path, hints: Callable[[House], None]
) -> None:
    ours = environment(database_url, valkey, tmp_path / "mail")
    config = from_environment(ours)
    house = House(connect(config.database_url), config, tmp_path / "mail")
    log = tmp_path / "worker.log"
    command = ("workers.app", "--concurrency", "2")
    beat = ("workers.beat", str(tmp_path / "schedule"))
    root = str(ROOT)
    ours["PYTHONPATH"] += os.pathsep + root
    try:
        with process(log, ours, *command):
            with process(tmp_path / "beat.log", ours, *beat):
                # Nobody hinted at this match: only the sweep can find its invitations.
                match_id = house.make("middle-card", 3)
                soon(
                    lambda: not house.all(select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING)),
                    log,
                )
                assert f"naming {len(BEAT_SCHEDULE)} recurring tasks" in (tmp_path / "beat.log").read_text()
            # And nobody sweeps any more: only hints tell the worker what follows, however long it takes.
            hints(house)
            for name in ("Ann", "Bob", "Cyd"):
                mail = house.only(name)
                house.send(reply(mail, "accept").as_bytes(), mail.reply_to, f"{name.lower()}@example.org")
            soon(lambda: house.match(match_id).state == MatchState.RUNNING, log)
            soon(lambda: not house.all(select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING)), log)
            mail = house.last("Ann")
            house.send(reply(mail, "stay").as_bytes(), mail.reply_to, "ann@example.org")
            soon(lambda: house.match(match_id).log_length == 1, log)
        assert "Traceback" not in log.read_text()
    finally:
        house.engine.dispose()


def test_a_worker_with_beat_sweeps_and_ends_when_it_is_asked_to(database_url: str, valkey: str, tmp_path: Path) -> None:
    ours = environment(database_url, valkey, tmp_path / "mail")
    ours["PYTHONPATH"] += os.pathsep + str(ROOT)
    config = from_environment(ours)
    house = House(connect(config.database_url), config, tmp_path / "mail")
    log, schedule = tmp_path / "worker.log", tmp_path / "schedule"
    try:
        # Nobody hints at these invitations: only the sweep can find them.
        house.make("middle-card", 3)
        with process(log, ours, "workers.app", "--concurrency", "2", "--with-beat", str(schedule)) as run:
            soon(lambda: not house.all(select(OutboxMessage.id).where(OutboxMessage.state == OutboxState.PENDING)), log)
            run.terminate()
            assert run.wait(30) == 0
        assert f"naming {len(BEAT_SCHEDULE)} recurring tasks" in log.read_text()
        assert "Traceback" not in log.read_text()
        with shelve.open(str(schedule)) as state:  # noqa: S301 -- our own
            assert state["entries"]["sweep"].total_run_count > 0
    finally:
        house.engine.dispose()


def test_one_thread_takes_hint_after_hint_and_leaves_nothing_with_the_broker(
    database_url: str, valkey: str, tmp_path: Path
) -> None:
    ours = environment(database_url, valkey, tmp_path / "mail")
    ours["PYTHONPATH"] += os.pathsep + str(ROOT)
    log = tmp_path / "worker.log"
    app = make_celery_app(from_environment(ours))
    command = ("workers.app", "--concurrency", "1")
    with process(log, ours, *command), Redis.from_url(from_environment(ours).broker_url) as broker, closing(app):
        soon(lambda: "ready" in log.read_text(), log)
        # Where the worker slept until its own clock wakes it, these would take minutes.
        for _time in range(200):
            app.send_task("heartbeat")
        soon(lambda: not broker.llen(QUEUE_NAME), log)
        assert not list(broker.scan_iter("unacked*"))


def listeners(port: int) -> list[str]:
    """List the sockets that listen on a port of this machine, as the kernel does."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [line[9] for line in lines if line[1].endswith(f":{port:04X}") and line[3] == "0A"]


def test_the_mail_process_takes_mail_until_it_is_asked_to_stop(database_url: str, valkey: str, tmp_path: Path) -> None:
    port = free_port()
    ours = environment(database_url, valkey, tmp_path / "mail", PBEM_SMTP_LISTEN=f"127.0.0.1:{port}")
    ours["PYTHONPATH"] += os.pathsep + str(ROOT)
    config = from_environment(ours)
    house = House(connect(config.database_url), config, tmp_path / "mail")
    log = tmp_path / "mail.log"
    try:
        house.start_match("middle-card", 3)
        mail = house.last("Ann")
        with process(log, ours, "workers.smtp_server") as run:

            def answers() -> bool:
                with closing(socket.socket()) as probe:
                    return probe.connect_ex(("127.0.0.1", port)) == 0

            soon(answers, log)
            soon(lambda: f"listening on 127.0.0.1:{port} for SMTP" in log.read_text(), log)
            with smtplib.SMTP("127.0.0.1", port, timeout=120) as client:
                raw = reply(mail, "help").as_bytes(policy=SMTP)
                assert client.sendmail("ann@example.org", [mail.reply_to], raw) == {}
            run.terminate()
            assert run.wait(30) == 0
        assert "Traceback" not in log.read_text()
        assert house.judge(house.match_ids()[0]) == 1
    finally:
        house.engine.dispose()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one of those that listen gets all")
def test_several_doors_share_a_port_and_end_together(database_url: str, valkey: str, tmp_path: Path) -> None:
    port = free_port()
    listen = f"127.0.0.1:{port}"
    ours = environment(database_url, valkey, tmp_path / "mail", PBEM_SMTP_LISTEN=listen, PBEM_SMTP_PROCESSES="3")
    ours["PYTHONPATH"] += os.pathsep + str(ROOT)
    config = from_environment(ours)
    house = House(connect(config.database_url), config, tmp_path / "mail")
    log = tmp_path / "mail.log"
    try:
        house.start_match("middle-card", 3)
        mail = house.last("Ann")
        with process(log, ours, "workers.smtp_server") as run:
            soon(lambda: len(listeners(port)) == 3, log)
            raw = reply(mail, "help").as_bytes(policy=SMTP)
            for _time in range(16):
                # The kernel gives each connection to any of them, and what one keeps all know.
                with smtplib.SMTP("127.0.0.1", port, timeout=120) as client:
                    assert client.sendmail("ann@example.org", [mail.reply_to], raw) == {}
            run.terminate()
            assert run.wait(30) == 0
            assert not listeners(port)
        assert "Traceback" not in log.read_text()
        for first, status in ((False, 1), (True, -signal.SIGKILL)):
            with process(log, ours, "workers.smtp_server") as run:
                soon(lambda: len(listeners(port)) == 3, log)
                others = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
                os.kill(run.pid if first else int(others[0]), signal.SIGKILL)
                assert run.wait(30) == status
                soon(lambda: not listeners(port), log)
        assert house.judge(house.match_ids()[0]) == 1
    finally:
        house.engine.dispose()


@pytest.mark.parametrize("module", ["workers.smtp_server", "workers.app", "workers.beat"])
def test_without_settings_a_process_says_what_to_set(module: str) -> None:
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "DATABASE_", "REDIS_"))}
    run = subprocess.run((sys.executable, "-m", module), env=bare, capture_output=True, check=False, cwd=ROOT)
    assert run.returncode == 2
    assert run.stderr.decode().startswith("DATABASE_URL is not set: ")


@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        ("workers.smtp_server", {"cryptography.hazmat", "flask", "PIL", "pbem.play.inbox.service_mail"}),
        ("workers.app", {"celery.bin", "cryptography.hazmat", "flask"}),
        ("workers.beat", {"celery.bin", "cryptography.hazmat", "flask", "sqlalchemy"}),
    ],
)
def test_a_process_has_not_imported_what_few_services_need(module: str, unneeded: set[str], tmp_path: Path) -> None:
    given = environment("postgresql://nobody@127.0.0.1:1/none", "redis://127.0.0.1:1", tmp_path)
    code = f"import sys, {module}; print(*sys.modules)"
    run = subprocess.run((sys.executable, "-c", code), env=given, capture_output=True, text=True, check=True, cwd=ROOT)
    assert not unneeded & set(run.stdout.split())
