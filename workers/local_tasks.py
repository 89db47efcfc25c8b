"""Runs follow-up tasks in this process instead of sending them through the broker."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pbem.play.notifications.outbox import SHARD_COUNT

if TYPE_CHECKING:
    from celery import Celery

    from pbem.db.session import TaskSender

log = logging.getLogger(__name__)

LOCAL_TASKS = frozenset({"deliver_mail"})
"""Tasks that follow nearly every judgement: sending them through the broker would cost as much as a mail."""

GATHER_SECONDS = 0.03
"""Seconds after which a task runs again if it was requested meanwhile; one that does not run starts at once."""


class LocalTaskSender:
    """Sends tasks through the broker, except for those that this worker runs itself.

    A task that is requested again while it runs, or just after, is run once more. Whatever was not done when the
    process ends is found by the sweeper, as with any wake-up.
    """

    def __init__(self, app: Celery, send: TaskSender) -> None:
        self._app = app
        self._send = send
        self._running: dict[tuple[str, tuple[Any, ...]], bool] = {}
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(SHARD_COUNT, "local-tasks")

    def __call__(self, task: str, arguments: tuple[Any, ...]) -> None:
        """Send a task, or run it in a thread."""
        if task not in LOCAL_TASKS:
            self._send(task, arguments)
            return
        with self._lock:
            again = (task, arguments) in self._running
            self._running[task, arguments] = again
        if again:
            return
        try:
            self._threads.submit(self._run, task, arguments)
        except RuntimeError:
            # The process is ending and starts no more threads: another worker takes the task.
            with self._lock:
                del self._running[task, arguments]
            self._send(task, arguments)

    def _run(self, task: str, arguments: tuple[Any, ...]) -> None:
        while True:
            try:
                self._app.tasks[task](*arguments)
            except Exception:
                log.warning("task %s has failed; the sweeper will enqueue it again", task, exc_info=True)
            time.sleep(GATHER_SECONDS)
            with self._lock:
                if not self._running[task, arguments]:
                    del self._running[task, arguments]
                    return
                self._running[task, arguments] = False
