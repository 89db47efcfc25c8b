"""The child process in which a worker's robots think: started when it is needed, and again when it has ended."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from typing import Any

log = logging.getLogger(__name__)

ENVIRONMENT: dict[str, str] = {}
"""Environment of a thinker beside where its code is: none of the settings of this process, which hold secrets."""


class ThinkerProcess:
    """Asks a thinker that runs, or starts one; not for several threads at once."""

    def __init__(self) -> None:
        self._running: subprocess.Popen[str] | None = None

    def __call__(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a request; None if the thinker ended without one, as it does at a limit."""
        line = json.dumps(request) + "\n"
        # One that has just ended because it was idle is no fault.
        answer = self._running and _exchange(self._running, line)
        if not answer:
            self.close()
            self._running = _start()
            answer = _exchange(self._running, line)
        if not answer:
            log.error("a thinker ended without an answer, with status %s", self.close())
            return None
        answered: dict[str, Any] = json.loads(answer)
        return answered

    @property
    def process_id(self) -> int | None:
        """Number of the process that runs, if any."""
        return self._running.pid if self._running else None

    def close(self) -> int | None:
        """End the thinker, if there is one; return its exit status."""
        if self._running is None:
            return None
        self._running.kill()
        self._running.communicate()
        status, self._running = self._running.returncode, None
        return status


def _start() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "workers.thinker"]
    return subprocess.Popen(  # noqa: S603 -- our own module
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def _exchange(thinker: subprocess.Popen[str], line: str) -> str:
    """Send a line to a thinker, and return its answer; empty if it has ended."""
    if thinker.stdin is None or thinker.stdout is None:
        return ""
    try:
        thinker.stdin.write(line)
        thinker.stdin.flush()
        return thinker.stdout.readline()
    except OSError:
        return ""
