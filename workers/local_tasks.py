"""Errands: tasks that a worker's own transactions name, done by itself at once instead of over the broker."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pbem.play.notifications.outbox import SHARDS

if TYPE_CHECKING:
    from celery import Celery

    from pbem.db.session import Sender

log = logging.getLogger(__name__)

OWN = frozenset({"relay"})
"""The tasks that follow from nearly every judgement: on their way over the broker they would cost as much as a mail."""


class Errands:
    """Sends tasks as it is told to, but for those that this worker does itself.

    One that is named again while it is under way is done once more afterwards. What was named and not done when the
    process ends is found by the sweep, as with any hint.
    """

    def __init__(self, app: Celery, send: Sender) -> None:
        self._app = app
        self._send = send
        self._under_way: dict[tuple[str, tuple[Any, ...]], bool] = {}
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(SHARDS, "errands")

    def __call__(self, task: str, arguments: tuple[Any, ...]) -> None:
        """Have a task done."""
        if task not in OWN:
            self._send(task, arguments)
            return
        with self._lock:
            again = (task, arguments) in self._under_way
            self._under_way[task, arguments] = again
        if not again:
            self._threads.submit(self._run, task, arguments)

    def _run(self, task: str, arguments: tuple[Any, ...]) -> None:
        while True:
            try:
                self._app.tasks[task](*arguments)
            except Exception:
                log.warning("task %s has failed; the sweep will find what it was for", task, exc_info=True)
            with self._lock:
                if not self._under_way[task, arguments]:
                    del self._under_way[task, arguments]
                    return
                self._under_way[task, arguments] = False
