"""The service in parts on several machines, which have nothing in common but a database and a broker."""

from __future__ import annotations

import contextlib
import os
import shlex
import socket
import sys
import threading
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiosmtpd.controller import Controller

from emails.outbound.transport import MaildirTransport
from pbem.config import database_url, from_environment
from pbem.db.session import connect
from pbem.ops.up import process
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import Part
from pbem.ops.up.valkey import Broker
from pbem.play.core.context import transaction
from pbem.play.lifecycle.match_requests import Invitee
from tests.support.creating import create_match
from tests.support.live_service import LiveService, address, environment, until
from tests.support.namespaces import MIDDLE, Machine, network
from tests.support.places import ROOT
from tests.support.rabbit import rabbit
from tests.support.standby import asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from pbem.ops.up.process import Run

PAGES, DOOR, NEIGHBOURS, DATABASE, BROKER = 8000, 8025, 2525, 5432, 6379
RUNNING = ("web", "worker", "beat", "mail")
CODE = ROOT, ROOT / "tests" / "packages"


class Neighbours:
    """The mail server of everybody else: puts each mail into its reader's folder."""

    def __init__(self, folder: Path) -> None:
        self._folders = MaildirTransport(str(folder))

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 (their name)
        """Take a mail."""
        for recipient in envelope.rcpt_tos:
            self._folders.send(envelope.mail_from or "", recipient, envelope.original_content or b"")
        return "250 OK"


class Balancer:
    """Hands each connection on to the next machine that takes it."""

    def __init__(self, port: int, machines: Sequence[Machine]) -> None:
        self.served = {machine.address: 0 for machine in machines}
        self._port, self._turn = port, count()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])

    def run(self, inside: Machine) -> None:
        """Take connections on this machine's own network, and hand them on in another."""
        with inside.inside(), contextlib.suppress(OSError):
            while True:
                line, _ = self._listening.accept()
                threading.Thread(target=self._hand_on, args=(line,), daemon=True).start()

    def close(self) -> None:
        """Take no more."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _hand_on(self, line: socket.socket) -> None:
        # A new thread is on the network of the one that began it.
        addresses = list(self.served)
        first = next(self._turn)
        with line:
            for number in range(len(addresses)):
                address = addresses[(first + number) % len(addresses)]
                with contextlib.suppress(OSError), socket.create_connection((address, self._port), 5) as other:
                    other.settimeout(None)
                    self.served[address] += 1
                    back = threading.Thread(target=_pour, args=(other, line), daemon=True)
                    back.start()
                    _pour(line, other)
                    back.join()
                    return


def _pour(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while some := source.recv(65536):
            target.sendall(some)
        target.shutdown(socket.SHUT_WR)


@dataclass(frozen=True, slots=True)
class Spread(LiveService):
    """The service on several machines, asked through balancers: `settings` are the same on all of them."""

    machines: dict[str, Machine] = field(default_factory=dict)
    settings_of_all: dict[str, str] = field(default_factory=dict)
    runs: dict[tuple[str, str], Run] = field(default_factory=dict)
    balancers: tuple[Balancer, ...] = ()
    store: str = ""

    def settings(self) -> dict[str, str]:
        return self.settings_of_all

    def start_match(self, game: str, options: dict[str, object], *names: str) -> str:
        """Create a match that everybody accepts by reply; whoever made it is not known here. Return its id."""
        engine = connect(database_url({"DATABASE_URL": self.store}))
        with transaction(engine, from_environment(self.settings_of_all)) as ctx:
            match = create_match(ctx, game, options, [Invitee(name, address(name)) for name in names]).id
        engine.dispose()
        for name in names:
            invitations = until(partial(self.mails_about, name, match), 120)
            assert self.reply(name, invitations[0], "accept")
        return match

    def asked(self, statement: str) -> object:
        """Ask the database one question."""
        return asked(self.store, statement)

    def start(self, name: str, *parts: str, code: Sequence[Path] = CODE) -> None:
        """Start parts on a machine, of the project's code or another, as the Procfile of that code has them."""
        machine = self.machines[name]
        commands = procfile(machine.outside(code[0]))
        with machine.inside():
            for each in parts or RUNNING:
                known = self.settings_of_all | {"PYTHONPATH": os.pathsep.join(map(str, code))}
                command = machine.alone("/bin/sh", "-c", f"exec {commands[each]}")
                log = self.data / f"{name}-{each}.log"
                self.runs[name, each] = Part(each, command, log, known, grace_seconds=10).start()

    def stop(self, name: str, *parts: str, kill: bool = False) -> None:
        """Stop parts of a machine, or have them end as where the power fails."""
        for each in parts or RUNNING:
            run = self.runs.pop((name, each))
            if kill:
                run.kill()
                run.process.wait()
            else:
                run.stop()

    def release(self, name: str, code: Sequence[Path] = CODE) -> None:
        """Bring the database to the newest schema of some code."""
        self.start(name, "release", code=code)
        assert self.runs.pop((name, "release")).process.wait(120) == 0, (self.data / f"{name}-release.log").read_text()

    def written(self, name: str) -> set[str]:
        """List what a machine has on its own disk."""
        folder = self.machines[name].folder
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def procfile(code: Path) -> dict[str, str]:
    """Return the commands of some code's parts, each with the programs of this Python."""
    found, programs = {}, Path(sys.executable).parent
    for line in (code / "Procfile").read_text().splitlines():
        name, _, command = line.partition(": ")
        program, _, rest = command.partition(" ")
        found[name] = f"{shlex.quote(str(programs / program))} {rest}"
    return found


@contextlib.contextmanager
def spread(folder: Path, broker: str, *names: str) -> Iterator[Spread]:
    """Run a database, a broker and neighbours in the middle, with machines around on which nothing runs yet."""
    data = folder / "data"
    data.mkdir()
    with contextlib.ExitStack() as stack:
        machines = stack.enter_context(network(folder, *names))
        others, middle = [machines[name] for name in names], machines["middle"]
        with middle.inside():
            url = stack.enter_context(rabbit(folder, MIDDLE) if broker == "rabbitmq" else _valkey(folder))
            store = stack.enter_context(_database(folder))
            mail = Controller(Neighbours(data / "mail"), hostname=MIDDLE, port=NEIGHBOURS)
            mail.start()
        stack.callback(mail.stop)
        pages, door = (stack.enter_context(_balanced(port, others, middle)) for port in (PAGES, DOOR))
        settings = environment(
            DATABASE_URL=f"postgresql://pbem@{MIDDLE}:{DATABASE}/pbem",
            REDIS_URL=url,
            PBEM_SECRET_KEYS="k" * 40,
            PBEM_BASE_URL=f"http://127.0.0.1:{pages.port}",
            PBEM_MAIL_DOMAIN="games.example.org",
            PBEM_SMTP_URL=f"smtp://{MIDDLE}:{NEIGHBOURS}",
            PBEM_SMTP_LISTEN=f"0.0.0.0:{DOOR}",
            PBEM_LIMITS="off",
            WEB_CONCURRENCY="1",
            HOME="/tmp",  # noqa: S108 (each machine has its own)
        )
        nobody: Any = None
        found = Spread(data, pages.port, door.port, nobody, machines, settings, {}, (pages, door), store)
        try:
            yield found
        finally:
            for run in found.runs.values():
                run.stop()


@contextlib.contextmanager
def _database(folder: Path) -> Iterator[str]:
    cluster = Cluster.in_folder(folder / "database" / "postgres", fsync=False)
    cluster.create()
    with (cluster.data / "pg_hba.conf").open("a") as known:
        known.write("host all all 10.77.0.0/24 trust\n")
    served = cluster.part(folder / "database.log")
    with process.running(replace(served, command=(*served.command, f"--listen_addresses={MIDDLE}"))):
        yield cluster.url


@contextlib.contextmanager
def _valkey(folder: Path) -> Iterator[str]:
    served = Broker.in_folder(folder / "broker" / "valkey", keep=False).part(folder / "broker.log")
    open_to = ("--port", str(BROKER), "--bind", MIDDLE, "--protected-mode", "no")
    with process.running(replace(served, command=(*served.command, *open_to))):
        yield f"redis://{MIDDLE}:{BROKER}/0"


@contextlib.contextmanager
def _balanced(port: int, machines: Sequence[Machine], middle: Machine) -> Iterator[Balancer]:
    balancer = Balancer(port, machines)
    taking = threading.Thread(target=balancer.run, args=(middle,), daemon=True)
    taking.start()
    yield balancer
    balancer.close()
    taking.join(10)
