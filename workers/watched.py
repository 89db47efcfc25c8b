"""Tasks that are watched: their lines say whose they are, and it is counted how they end."""

from __future__ import annotations

from typing import Any

from celery import Task

from pbem.telemetry import figures, logs, traces


class Watched(Task[Any, Any]):
    """A task of which those who watch are told."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Do the task."""
        ended = "failed"
        with logs.about(task=f"{self.name}-{logs.fresh()}"), traces.span(f"task {self.name}"):
            try:
                returned = self.run(*arguments, **named)
                ended = "done"
            finally:
                figures.count(figures.TASKS, str(self.name), ended)
        return returned
