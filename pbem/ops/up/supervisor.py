"""Supervises the parts of the service: starts, watches, restarts and stops them in order."""

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Self

from pbem.ops.up.errors import StartError
from pbem.ops.up.process import POLL_SECONDS, Part, Run, always_ready

FIRST_RETRY_SECONDS = 0.1
MAX_RETRY_SECONDS = 5.0
STABLE_AFTER_SECONDS = 10.0  # seconds after which a part counts as stable
MAX_FAILED_STARTS = 3  # ends of a part during start before the start fails
MAX_STOP_SECONDS = 9.5
MAX_SLEEP_SECONDS = 60.0
EXIT_CONFIG_ERROR = 2  # exit status of every program of ours if a setting is wrong
Action = Callable[[int, FrameType | None], object] | int | signal.Handlers | None
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(slots=True)
class SupervisedPart:
    """State of a supervised part."""

    part: Part
    run: Run | None = None
    retry_at: float = 0.0
    retry_seconds: float = FIRST_RETRY_SECONDS
    exit_count: int = 0

    def step(self, say: Callable[[str], None]) -> None:
        """Notice that the part has ended, or start it when that is due."""
        now = time.monotonic()
        if self.run is None:
            if now >= self.retry_at:
                self.start(say)
        elif (status := self.run.poll()) is not None:
            if now - self.run.started > STABLE_AFTER_SECONDS:
                self.retry_seconds = FIRST_RETRY_SECONDS
            self.schedule_retry(now)
            say(f"{self.part.name} ended ({describe_status(status)}); it is started again")

    def start(self, say: Callable[[str], None]) -> None:
        """Start the part; a failed start is tried again later."""
        try:
            self.run = self.part.start()
        except (StartError, OSError) as error:
            self.schedule_retry(time.monotonic())
            say(f"{self.part.name} could not be started: {error}")

    def schedule_retry(self, now: float) -> None:
        """Schedule the next start with exponential backoff."""
        self.run = None
        self.exit_count += 1
        self.retry_at = now + self.retry_seconds
        self.retry_seconds = min(self.retry_seconds * 3, MAX_RETRY_SECONDS)


class Supervisor:
    """Runs parts within a `with` block; leaving it stops them all.

    Must be used in the main thread: the kernel ends the parts with the thread that started them.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.parts: list[SupervisedPart] = []
        self.stop_requests = 0
        self.wake, self.waker = socket.socketpair()
        self.before: dict[signal.Signals, Action] = {}

    def __enter__(self) -> Self:
        for end in (self.wake, self.waker):
            end.settimeout(0)
        signal.set_wakeup_fd(self.waker.fileno(), warn_on_full_buffer=False)
        for number in STOP_SIGNALS:
            self.before[number] = signal.signal(number, self.note_stop_request)
        # Without a handler, SIGCHLD would not wake us.
        self.before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda _, __: None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        signal.set_wakeup_fd(-1)
        for number, action in self.before.items():
            signal.signal(number, action)
        self.wake.close()
        self.waker.close()

    def note_stop_request(self, _number: int, _frame: FrameType | None) -> None:
        """Record a request to stop."""
        self.stop_requests += 1

    def sleep(self, seconds: float) -> None:
        """Wait for a signal, or until the time is over."""
        select.select([self.wake], [], [], max(0.0, seconds))
        with contextlib.suppress(BlockingIOError):
            self.wake.recv(4096)

    def start(self, *parts: Part, within: float = 60) -> None:
        """Start some parts together and wait until all are ready."""
        began = time.monotonic()
        for part in parts:
            part.rotate()
        these = [SupervisedPart(part) for part in parts]
        self.parts += these
        waiting = these.copy()
        while waiting:
            self.step()
            now = time.monotonic()
            for charge in these:
                if charge.exit_count >= MAX_FAILED_STARTS or (charge in waiting and now - began > within):
                    raise StartError(failure_message(charge.part), status=1)
                if charge in waiting and charge.run is not None and charge.part.ready():
                    waiting.remove(charge)
                    how = (
                        "started" if charge.part.ready is always_ready else f"ready in {time.monotonic() - began:.1f} s"
                    )
                    self.say(f"{charge.part.name} … {how}")
            self.sleep(POLL_SECONDS if waiting else 0)

    def finish(self, part: Part) -> None:
        """Run a part to its end; raises StartError if it fails."""
        part.rotate()
        run = part.start()
        try:
            while (status := run.poll()) is None:
                self.step()
                self.sleep(self.seconds_until_due())
        finally:
            run.stop()
        if status != 0:
            raise StartError(failure_message(part), status=EXIT_CONFIG_ERROR if status == EXIT_CONFIG_ERROR else 1)
        self.say(f"{part.name} … done in {time.monotonic() - run.started:.1f} s")

    def watch(self) -> None:
        """Keep the parts running until this process is asked to stop."""
        with contextlib.suppress(SystemExit):
            while True:
                self.step()
                self.sleep(self.seconds_until_due())

    def seconds_until_due(self) -> float:
        """Return the seconds until something is due."""
        now = time.monotonic()
        return min([MAX_SLEEP_SECONDS, *(charge.retry_at - now for charge in self.parts if charge.run is None)])

    def step(self) -> None:
        """Check every part once; raises SystemExit when asked to stop."""
        if self.stop_requests:
            raise SystemExit(0)
        for charge in self.parts:
            charge.step(self.say)

    def stop(self) -> None:
        """Stop all parts, rank by rank, within ten seconds, or at once when asked twice."""
        end = time.monotonic() + MAX_STOP_SECONDS
        runs = [charge.run for charge in self.parts if charge.run is not None]
        self.parts = []
        for rank in sorted({run.part.rank for run in runs}):
            these = [run for run in runs if run.part.rank == rank]
            for run in these:
                run.terminate()
            patience = min(end, time.monotonic() + max(run.part.grace_seconds for run in these))
            while left := [run for run in these if run.poll() is None]:
                if time.monotonic() > patience or self.stop_requests > 1:
                    for run in left:
                        run.kill()
                self.sleep(0.1)


def describe_status(status: int) -> str:
    """Describe an exit status."""
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"by {signal.Signals(-status).name}"
    return f"status {status}"


def failure_message(part: Part) -> str:
    """Return a message that a part does not work, with the end of its log."""
    return f"The {part.name} did not start. The end of {os.fspath(part.log)}:\n{part.log_tail()}"
