"""Tasks that are watched: their lines say whose they are, and it is counted how they end."""

from __future__ import annotations

from typing import Any

from celery import Task
from celery.worker.request import Request
from kombu.asynchronous import get_event_loop

from pbem.telemetry import logs, metrics, traces


class Taken(Request):
    """A task as it came; one that the broker has forgotten already needs nothing from it at its end."""

    def acknowledge(self) -> None:
        """Say that the next task can be taken."""
        loop = get_event_loop()
        if not self.task.app.conf.worker_disable_prefetch or loop is None:
            super().acknowledge()
            return
        self.acknowledged = True
        # It may sleep since there was no room for another, and looks again when it is called.
        loop.call_soon(_nothing)


def _nothing() -> None:
    """Wake the worker's loop."""


class Watched(Task[Any, Any]):
    """A task of which those who watch are told."""

    Request = "workers.base_task:Taken"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Do the task."""
        ended = "failed"
        with logs.about(task=f"{self.name}-{logs.fresh()}"), traces.span(f"task {self.name}"):
            try:
                returned = self.run(*arguments, **named)
                ended = "done"
            finally:
                metrics.count(metrics.TASKS, str(self.name), ended)
        return returned
