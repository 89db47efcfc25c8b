"""Start and end one part of the service: a process with a log, a check whether it is ready, a way to stop it."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem.ops.up import tether
from pbem.ops.up.errors import StartError

POLL = 0.02
ROTATED_AT = 5_000_000


def at_once() -> bool:
    """Call a part ready as soon as it runs."""
    return True


def nothing() -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True)
class Part:
    """Describe a part: what runs, with which environment and log, when it is ready, and how it stops.

    Parts of a lower rank are stopped before those of a higher one.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path | None = None
    ready: Callable[[], bool] = at_once
    prepare: Callable[[], None] = nothing
    account: str = tether.OWN
    bond: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 2.0
    rank: int = 0

    def start(self) -> "Run":
        """Start the part in a session of its own, tied to the life of this process."""
        self.prepare()
        with self.log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 -- the parts' commands are our own
                (*tether.prefix(self.account, self.bond), *self.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=dict(self.environment),
                start_new_session=True,
            )
        return Run(self, process, time.monotonic())

    def last_words(self, lines: int = 8) -> str:
        """Quote the end of the part's log."""
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - 4000))
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])

    def rotate(self) -> None:
        """Put a long log aside, over the one put aside before."""
        with contextlib.suppress(FileNotFoundError):
            if self.log.stat().st_size > ROTATED_AT:
                self.log.replace(self.log.with_name(self.log.name + ".1"))


@dataclass(frozen=True, slots=True)
class Run:
    """Hold the process of a part from its start to its end."""

    part: Part
    process: subprocess.Popen[bytes]
    started: float

    def ended(self) -> int | None:
        """Return the exit status once the process has ended, and then end what it left behind."""
        if self.process.returncode is not None:
            return self.process.returncode
        if hasattr(os, "waitid"):
            # Not reaped yet, the process keeps its number: the group that is killed cannot be anybody else's.
            if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return None
        elif self.process.poll() is None:
            return None
        self.kill()
        return self.process.wait()

    def ask(self) -> None:
        """Ask the process to stop."""
        if self.ended() is None:
            os.kill(self.process.pid, self.part.stop_signal)

    def kill(self) -> None:
        """Kill the process and its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop the process: ask, wait as long as its grace, then kill."""
        self.ask()
        end = time.monotonic() + self.part.grace
        while self.ended() is None:
            if time.monotonic() > end:
                self.kill()
            time.sleep(POLL)


@contextlib.contextmanager
def running(part: Part, within: float = 30) -> Iterator[Run]:
    """Run a part for as long as a `with` block lasts, which begins when it is ready."""
    run = part.start()
    try:
        end = time.monotonic() + within
        while not part.ready():
            if run.ended() is not None or time.monotonic() > end:
                raise StartError(f"The {part.name} did not start.\n{part.last_words()}", status=1)
            time.sleep(POLL)
        yield run
    finally:
        run.stop()
