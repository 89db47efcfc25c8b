"""Supervises the parts of the service: starts, watches, restarts and stops them in order."""

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Self

from pbem.config import EXIT_CONFIG_ERROR
from pbem.ops.up.errors import StartError
from pbem.ops.up.process import POLL_SECONDS, Part, Run

FIRST_RETRY_SECONDS = 0.1
MAX_RETRY_SECONDS = 5.0
STABLE_AFTER_SECONDS = 10.0  # seconds after which a part counts as stable
MAX_FAILED_STARTS = 3  # ends of a part during start before the start fails
MAX_STOP_SECONDS = 9.5
MAX_SLEEP_SECONDS = 60.0
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
        """Schedule a restart of the part if it has ended, or start it when that is due."""
        now = time.monotonic()
        if self.run is None:
            if now >= self.retry_at:
                self.start(say)
        elif (status := self.run.poll()) is not None:
            if now - self.run.started > STABLE_AFTER_SECONDS:
                self.retry_seconds = FIRST_RETRY_SECONDS
            self.schedule_retry(now)
            say(f"{self.part.name} ended ({describe_status(status)}); restarting it")

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

    def __exit__(self, *_: object) -> None:
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
        supervised = [SupervisedPart(part) for part in parts]
        for part in supervised:
            part.part.rotate()
        self.parts += supervised
        waiting = supervised.copy()
        while waiting:
            self.step()
            now = time.monotonic()
            for part in supervised:
                if part.exit_count >= MAX_FAILED_STARTS or (part in waiting and now - began > within):
                    raise StartError(failure_message(part.part), status=1)
                ready = part.part.ready
                if part in waiting and part.run is not None and (ready is None or ready()):
                    waiting.remove(part)
                    how = f"ready in {time.monotonic() - began:.1f} s" if ready else "started"
                    self.say(f"{part.part.name} … {how}")
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
        return min([MAX_SLEEP_SECONDS, *(part.retry_at - now for part in self.parts if part.run is None)])

    def step(self) -> None:
        """Check every part once; raises SystemExit when asked to stop."""
        if self.stop_requests:
            raise SystemExit(0)
        for part in self.parts:
            part.step(self.say)

    def stop(self) -> None:
        """Stop all parts, rank by rank, within ten seconds, or at once when asked twice."""
        end = time.monotonic() + MAX_STOP_SECONDS
        runs = [part.run for part in self.parts if part.run is not None]
        self.parts = []
        for rank in sorted({run.part.rank for run in runs}):
            group = [run for run in runs if run.part.rank == rank]
            for run in group:
                run.terminate()
            deadline = min(end, time.monotonic() + max(run.part.grace_seconds for run in group))
            while left := [run for run in group if run.poll() is None]:
                if time.monotonic() > deadline or self.stop_requests > 1:
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
