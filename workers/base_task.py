"""Task classes that log with the id of the task, and count how tasks end."""

from __future__ import annotations

from typing import Any

from celery import Task
from celery.worker.request import Request
from kombu.asynchronous import get_event_loop

from pbem.telemetry import logs, metrics, traces


class UnackedRequest(Request):
    """A task request that is not acknowledged if the broker has already forgotten it."""

    def acknowledge(self) -> None:
        """Acknowledge the task, or only wake the event loop, so that the next task can be received."""
        loop = get_event_loop()
        if not self.task.app.conf.worker_disable_prefetch or loop is None:
            super().acknowledge()
            return
        self.acknowledged = True
        # The loop may sleep because all slots were busy; any callback makes it check again.
        loop.call_soon(lambda: None)


class MonitoredTask(Task[Any, Any]):
    """A task with a log context, a trace and a count of its outcome."""

    Request = "workers.base_task:UnackedRequest"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the task."""
        ended = "failed"
        with logs.bound_fields(task=f"{self.name}:{logs.new_id()}"), traces.span(f"task {self.name}"):
            try:
                returned = self.run(*arguments, **named)
                ended = "done"
            finally:
                metrics.count(metrics.TASKS, str(self.name), ended)
        return returned
