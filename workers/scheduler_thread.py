"""The scheduler of recurring tasks as a thread of a worker, for machines where a process of its own is too large."""

from __future__ import annotations

import logging
from contextlib import closing, contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

from celery.beat import PersistentScheduler

from pbem.task_queue import BEAT_SCHEDULE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
"""Seconds until a scheduler that has failed is started again."""
MAX_STOP_SECONDS = 1.0
"""Seconds that the thread may take to store its state when the worker ends."""


@contextmanager
def scheduling(app: Celery, file: str) -> Iterator[None]:
    """Enqueue recurring tasks within the block; `file` holds when each was last enqueued."""
    ended = Event()
    thread = Thread(target=_run, args=(app, file, ended), name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(MAX_STOP_SECONDS)


def _run(app: Celery, file: str, ended: Event) -> None:
    """Run schedulers until the end: one that fails, such as on a full disk, ends no worker, and another follows."""
    while not ended.is_set():
        try:
            # Opened, used and closed by this thread: some kinds of database file belong to one thread.
            with closing(PersistentScheduler(app, schedule_filename=file)) as scheduler:
                log.info("naming %d recurring tasks", len(BEAT_SCHEDULE))
                while not ended.wait(scheduler.tick()):
                    pass
        except Exception:
            log.exception("the scheduler has failed, and starts again")
            ended.wait(RETRY_SECONDS)
