"""An installation to be broken: `pbem up` with a real way out for mail, more workers beside it, and armed points."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, NullPool, create_engine

from pbem import config, task_queue
from pbem.db.session import set_task_sender
from pbem.ops.up import parent_watchdog, service_processes
from pbem.ops.up.folder import DataFolder
from pbem.ops.up.process import Part, Run
from pbem.ops.up.settings import UpOptions
from tests.faults.mailserver import MailServer
from tests.support.live_service import PARTS, LiveService, service, until
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config
    from tests.faults.points import Fault

INJECT = Path(__file__).parent / "inject"
WORKERS = 3
"""So many workers race for the same tasks, each with a relay in every thread."""
POLL = 0.1


@dataclass(slots=True)
class Workers:
    """Workers beside the one of `pbem up`, started again when they end."""

    part: Part
    runs: list[Run]
    ended: threading.Event = field(default_factory=threading.Event)
    again: int = 0

    def watch(self) -> None:
        """Look after them until told to end."""
        while not self.ended.wait(POLL):
            for number, run in enumerate(self.runs):
                if run.poll() is not None:
                    self.again += 1
                    self.runs[number] = self.part.start()

    def stop(self) -> None:
        """End all of them."""
        for run in self.runs:
            run.kill()
            run.process.wait()


@dataclass(frozen=True, slots=True)
class Installation:
    """A running service, its database seen from beside, and everybody's mail server."""

    running: LiveService
    engine: Engine
    config: Config
    mails: MailServer
    folder: Path
    """Where points are armed, and say that they were reached."""

    def arm(self, fault: Fault) -> None:
        """Arm a fault, which happens when its point is reached next."""
        fresh = self.folder / "fresh"
        fresh.write_text(self._deed(fault))
        fresh.rename(self.folder / "armed" / fault.point)

    def disarm(self) -> None:
        """Disarm all faults."""
        for armed in (self.folder / "armed").iterdir():
            armed.unlink(missing_ok=True)

    def fired(self) -> dict[str, float]:
        """Return which points were reached since the last `forget`, and when."""
        found = [one.name.split() for one in (self.folder / "fired").iterdir()]
        return {point: int(at) / 1e9 for point, at in found}

    def forget(self) -> None:
        """Forget which points were reached."""
        for fired in (self.folder / "fired").iterdir():
            fired.unlink()

    def whole(self) -> bool:
        """Return whether all parts run and answer."""
        status, said = self.running.ask("/readyz")
        return self.running.processes().keys() >= set(PARTS) and status == 200 and said["broker"] == "ok"

    def _deed(self, fault: Fault) -> str:
        if fault.deed == "emptied":
            return f"flush {self.config.broker_url.removeprefix('unix://')}"
        if fault.victim in {"database", "broker"}:
            word = "restart" if fault.deed == "restarted" else "kill"
            return f"{word} {until(lambda: self.running.processes().get(fault.victim))}"
        return "kill"


@contextmanager
def installation(data: Path, workers: int = WORKERS, **more: str) -> Iterator[Installation]:
    """Run an installation for as long as a `with` block lasts."""
    folder, mails = data.with_suffix(".faults"), MailServer()
    for name in ("armed", "fired"):
        (folder / name).mkdir(parents=True)
    told = {
        "FAULTS": str(folder),
        "PYTHONPATH": os.pathsep.join([str(INJECT), str(ROOT), str(ROOT / "tests" / "packages")]),
        "PBEM_SMTP_URL": f"smtp://127.0.0.1:{mails.port}",
        "PBEM_LIMITS": "off",
        **more,
    }
    mails.open()
    try:
        with service(data, **told) as running:
            settings = running.settings()
            ours = config.from_environment(settings)
            engine = create_engine(ours.database_url, poolclass=NullPool)
            task_queue.bind(ours)
            beside = Workers(_worker(data, settings), [])
            beside.runs += [beside.part.start() for _ in range(workers - 1)]
            watching = threading.Thread(target=beside.watch, daemon=True)
            watching.start()
            try:
                yield Installation(running, engine, ours, mails, folder)
            finally:
                beside.ended.set()
                watching.join()
                beside.stop()
                set_task_sender(lambda _task, _arguments: None)
    finally:
        mails.close()


def _worker(data: Path, settings: dict[str, str]) -> Part:
    # One scheduler is enough, which the service's own worker has.
    command = service_processes.service_programs(UpOptions(data), DataFolder(data)).worker[:-2]
    # Started again by a thread, they cannot be tied to its life by the kernel.
    return Part(
        "worker", command, data / "log" / "more-workers.log", settings, data / "run", bond=parent_watchdog.WATCH_BOND
    )


def kill(pid: int | None) -> None:
    """Kill a process that may be gone."""
    with suppress(ProcessLookupError):
        if pid:
            os.kill(pid, signal.SIGKILL)


def patiently(ask: Any, seconds: float = 60) -> Any:
    """Ask the database something that may be away for a while."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(POLL)
