"""A part of the service: a process with a log, a readiness check, and a way to stop it."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pbem.ops.up import parent_watchdog
from pbem.ops.up.errors import StartError

POLL_SECONDS = 0.02
MAX_LOG_BYTES = 5_000_000


@dataclass(frozen=True, slots=True)
class Part:
    """Description of a part: what runs, with which environment and log, when it is ready, and how it stops.

    Without `ready` it is ready as soon as it runs. Parts of a lower rank are stopped before those of a higher one.
    """

    name: str
    command: tuple[str, ...]
    log: Path
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    folder: Path | None = None
    ready: Callable[[], bool] | None = None
    prepare: Callable[[], None] | None = None
    account: str = parent_watchdog.OWN_ACCOUNT
    bond: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    grace_seconds: float = 2.0
    rank: int = 0

    def start(self) -> "Run":
        """Start the part in its own session; it ends with this process."""
        if self.prepare:
            self.prepare()
        with self.log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603 -- the parts' commands are our own
                (*parent_watchdog.command_prefix(self.account, self.bond), *self.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=dict(self.environment),
                start_new_session=True,
            )
        return Run(self, process, time.monotonic())

    def log_tail(self, lines: int = 8) -> str:
        """Return the last lines of the part's log."""
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - 4000))
            return "\n".join(log.read().decode(errors="replace").splitlines()[-lines:])

    def rotate(self) -> None:
        """Rotate a long log; only one old log is kept."""
        with contextlib.suppress(FileNotFoundError):
            if self.log.stat().st_size > MAX_LOG_BYTES:
                self.log.replace(self.log.with_name(self.log.name + ".1"))


@dataclass(frozen=True, slots=True)
class Run:
    """The process of a part from its start to its end."""

    part: Part
    process: subprocess.Popen[bytes]
    started: float

    def poll(self) -> int | None:
        """Return the exit status once the process has ended, and then kill its remaining children."""
        if self.process.returncode is not None:
            return self.process.returncode
        if hasattr(os, "waitid"):
            # Until it is reaped, its process ID cannot be reused, so the right group is killed.
            if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return None
        elif self.process.poll() is None:
            return None
        self.kill()
        return self.process.wait()

    def terminate(self) -> None:
        """Send the process its stop signal."""
        if self.poll() is None:
            os.kill(self.process.pid, self.part.stop_signal)

    def kill(self) -> None:
        """Kill the process and its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop the process: send its stop signal, wait for its grace, then kill it."""
        self.terminate()
        end = time.monotonic() + self.part.grace_seconds
        while self.poll() is None:
            if time.monotonic() > end:
                self.kill()
            time.sleep(POLL_SECONDS)


@contextlib.contextmanager
def running(part: Part, within: float = 30) -> Iterator[Run]:
    """Run a part within the block, which begins when the part is ready."""
    run = part.start()
    try:
        end = time.monotonic() + within
        while part.ready and not part.ready():
            if run.poll() is not None or time.monotonic() > end:
                raise StartError(f"The {part.name} did not start.\n{part.log_tail()}", status=1)
            time.sleep(POLL_SECONDS)
        yield run
    finally:
        run.stop()
