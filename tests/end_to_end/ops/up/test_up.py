"""The whole service as a process, with small programs in place of its own (service.py)."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

import pbem
from pbem import env_file
from pbem.cli import main
from pbem.ops.up import checks
from pbem.ops.up.folder import DataFolder
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import Part, running
from pbem.ops.up.service_processes import service_programs
from pbem.ops.up.settings import UpOptions
from tests.support.house import settings
from tests.support.places import ROOT

SERVICE = str(ROOT / "tests" / "support" / "ops" / "up" / "service.py")
NAMES = ("database", "broker", "upgrade", "web", "worker", "mail")


def listed(columns: str) -> list[str]:
    """What this machine's processes are."""
    command = ("/bin/ps", "-A", "-ww", "-o", columns)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


class Service:
    """A running service, its words, and its processes."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        self.process = subprocess.Popen(
            (sys.executable, SERVICE, str(data), "0", "0"),
            env=ours | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, pattern: str) -> list[str]:
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if re.fullmatch(pattern, lines[-1]):
                return lines
        raise AssertionError((lines, self.process.communicate()))

    def family(self) -> set[int]:
        """Every process below the service."""
        parents = {int(child): int(parent) for parent, child in map(str.split, listed("ppid=,pid="))}
        found = {self.process.pid}
        while more := {child for child, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def part(self, word: str) -> int:
        """The process of a part, by a word of its command."""
        rows = (line.split(None, 2) for line in listed("ppid=,pid=,command="))
        return next(int(pid) for parent, pid, command in rows if int(parent) == self.process.pid and word in command)

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=120)
        return self.process.returncode


def living(processes: set[int]) -> set[int]:
    return {int(pid) for pid, state in map(str.split, listed("pid=,stat=")) if "Z" not in state} & processes


def gone(processes: set[int], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while living(processes) and time.monotonic() < end:
        time.sleep(0.05)
    return not living(processes)


def starts(data: Path) -> int:
    where = Cluster.in_folder(data / "postgres").url.replace("+psycopg", "")
    with psycopg.connect(where) as connection:
        row = connection.execute("SELECT count(*) FROM starts").fetchone()
    assert row is not None
    return int(row[0])


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path / "data")
    yield service
    service.process.kill()
    service.process.communicate()


def test_it_says_when_it_is_ready_and_serves(service: Service) -> None:
    *parts, ready = service.until(r"ready http://127\.0\.0\.1:\d+")
    assert {line.split()[0] for line in parts} == set(NAMES)
    url = ready.removeprefix("ready ")
    with urllib.request.urlopen(url) as answer:
        assert answer.read().decode() == url
    assert starts(service.data) == 1
    assert {path.stem for path in (service.data / "log").iterdir()} == set(NAMES)


def test_what_its_parts_were_told_can_be_read_while_it_runs(service: Service) -> None:
    *_, ready = service.until("ready .*")
    file = DataFolder(service.data).settings
    told = env_file.read(file)
    assert told["PBEM_BASE_URL"] == ready.removeprefix("ready ")
    assert told.keys() >= {"DATABASE_URL", "REDIS_URL", "PBEM_SECRET_KEYS", "PBEM_SMTP_LISTEN"}
    assert "PATH" not in told
    assert file.stat().st_mode & 0o777 == 0o600
    service.end(signal.SIGTERM)
    assert not file.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_asked_to_stop_it_leaves_no_process(service: Service, number: signal.Signals) -> None:
    service.until("ready .*")
    family = service.family()
    began = time.monotonic()
    assert service.end(number) == 0
    assert time.monotonic() - began < 10
    assert living(family) == set()
    assert not (service.data / "postgres" / "postmaster.pid").exists()


def test_killed_it_takes_its_parts_along_and_starts_again_at_once(service: Service) -> None:
    service.until("ready .*")
    family = service.family()
    assert len(family) > len(NAMES)
    service.end(signal.SIGKILL)
    again = Service(service.data)
    assert gone(family, 20)
    again.until("ready .*")
    assert starts(service.data) == 2
    assert again.end(signal.SIGTERM) == 0


@pytest.mark.parametrize(("name", "word"), [("database", "postgres"), ("broker", "valkey"), ("mail", "220 hello")])
def test_a_killed_part_comes_back(service: Service, name: str, word: str) -> None:
    service.until("ready .*")
    killed = service.part(word)
    os.kill(killed, signal.SIGKILL)
    service.until(re.escape(f"{name} ended (by SIGKILL); restarting it"))
    end = time.monotonic() + 30
    while True:
        try:
            assert service.part(word) != killed
            assert starts(service.data) == 1
            break
        except (StopIteration, psycopg.OperationalError):
            assert time.monotonic() < end
            time.sleep(0.05)
    assert service.end(signal.SIGTERM) == 0


def test_it_stops_while_it_starts(service: Service) -> None:
    service.until(r"database … created in .*")
    assert service.end(signal.SIGTERM) == 0


def test_a_long_path_leaves_nothing_elsewhere(short_path: Path) -> None:
    elsewhere = short_path / "runtime"
    elsewhere.mkdir()
    service = Service(short_path / ("long" * 25), XDG_RUNTIME_DIR=str(elsewhere))
    service.until("ready .*")
    assert len(list(elsewhere.iterdir())) == 1
    assert service.end(signal.SIGTERM) == 0
    assert list(elsewhere.iterdir()) == []


def test_databases_and_brokers_that_are_given_are_not_started(tmp_path: Path, postgres: str, valkey: str) -> None:
    service = Service(tmp_path / "data", DATABASE_URL=postgres, REDIS_URL=valkey)
    lines = service.until("ready .*")
    assert {line.split()[0] for line in lines} == {"upgrade", "web", "worker", "mail", "ready"}
    assert service.end(signal.SIGTERM) == 0


def test_that_nobody_reads_its_words_does_not_stop_it(service: Service) -> None:
    service.until("ready .*")
    assert service.process.stdout is not None
    service.process.stdout.close()
    mail = service.part("220 hello")
    os.kill(mail, signal.SIGKILL)
    end = time.monotonic() + 30
    while mail in service.family():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert service.process.poll() is None
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(30) == 0


@pytest.mark.parametrize(
    ("environment", "status", "sentence"),
    [
        ({"PBEM_SECRET_KEYS": "short"}, 2, "PBEM_SECRET_KEYS holds a key with fewer than 32 characters"),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}, 1, "The upgrade did not start. The end of "),
    ],
)
def test_what_keeps_it_from_starting_is_said(
    tmp_path: Path,
    environment: dict[str, str],
    status: int,
    sentence: str,
) -> None:
    service = Service(tmp_path / "data", **environment)
    _, said = service.process.communicate(timeout=90)
    assert (service.process.returncode, said[: len(sentence)]) == (status, sentence)


def test_a_folder_in_use_and_a_taken_port_are_refused_with_status_2(service: Service, tmp_path: Path) -> None:
    port = service.until("ready .*")[-1].rpartition(":")[2]
    done = CliRunner().invoke(main, ["up", "--data", str(service.data)])
    assert done.exit_code == 2
    assert done.stderr == f"The data folder {service.data} is in use by another pbem: choose another with --data.\n"
    done = CliRunner().invoke(main, ["up", "--data", str(tmp_path / "other"), "--port", port])
    assert (done.exit_code, done.stderr) == (2, f"Port {port} is in use: choose another with --port.\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = str(server.getsockname()[1])
        done = CliRunner().invoke(main, ["up", "--data", str(tmp_path / "other"), "--port", "0", "--smtp-port", taken])
    assert (done.exit_code, done.stderr) == (2, f"Port {taken} is in use: choose another with --smtp-port.\n")


def test_the_command_imports_little() -> None:
    code = "import sys, pbem.cli, pbem.ops.up.up; print(*sys.modules)"
    modules = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True).stdout.split()
    assert not {"flask", "celery", "sqlalchemy", "psycopg", "gunicorn", "asyncio", "ssl"} & set(modules)


def test_the_services_own_programs_are_run_with_this_python(tmp_path: Path) -> None:
    found = service_programs(UpOptions(port=8001), DataFolder(tmp_path))
    for command in (found.upgrade, found.web, found.worker, found.mail):
        assert command[:2] == (sys.executable, "-m")
    assert found.web[2] == "gunicorn"
    assert "127.0.0.1:8001" in found.web
    assert found.worker[-2:] == ("--with-beat", str(tmp_path / "run" / "beat-schedule"))
    done = subprocess.run((*found.web[:-1], "--check-config", "flask:Flask('x')"), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes its time")
def test_the_webs_workers_die_with_their_killed_master(tmp_path: Path) -> None:
    port = checks.find_free_port("127.0.0.1", 0, "--port")
    command = service_programs(UpOptions(port=port), DataFolder(tmp_path)).web[:-1]
    told = {**os.environ, **settings("postgresql://nobody@127.0.0.1:1/none", tmp_path)}
    command = (*command, "flask:Flask('x')")
    part = Part("web", command, tmp_path / "log", told, ready=lambda: b"404" in answered(port))
    with running(part) as run:
        workers = {int(pid) for parent, pid in map(str.split, listed("ppid=,pid=")) if int(parent) == run.process.pid}
        assert len(workers) == 1
        # Only the master: what it leaves behind is not killed with it here.
        os.kill(run.process.pid, signal.SIGKILL)
        assert gone(workers, 0.5)


def answered(port: int) -> bytes:
    return checks.query("127.0.0.1", port, b"GET / HTTP/1.0\r\n\r\n")


def test_the_command_tells_its_version_and_its_ways() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"pbem, version {pbem.__version__}\n"
    assert "Run the whole service on this machine" in CliRunner().invoke(main, ["up", "--help"]).output
