"""Check that the broker answers."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kombu.exceptions import OperationalError

from pbem.ops.doctor.check import Check, failed, passed
from pbem.task_queue import celery_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery
    from kombu import Connection

    from pbem.ops.doctor.check import Ground, Said

PATIENCE = 3
TASK_SECONDS = 30
"""Seconds until a task that nobody took expires."""


@contextmanager
def line_to(ground: Ground) -> Iterator[tuple[Celery, Connection]]:
    """Open a connection to the broker; raises an exception within seconds if that fails."""
    app = celery_app(ground.config)
    with app.connection_for_write() as line:
        line.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=PATIENCE)
        yield app, line


def send(ground: Ground, task: str, *arguments: object) -> None:
    """Send a task."""
    with line_to(ground) as (app, line):
        app.send_task(task, arguments, connection=line, retry=False, ignore_result=True, expires=TASK_SECONDS)


def _answers(ground: Ground) -> Iterator[Said]:
    began = time.monotonic()
    try:
        with line_to(ground) as (_, line):
            # With Redis, only opening a queue sends a command; RabbitMQ would keep the queue.
            if ground.config.broker_counts:
                line.SimpleQueue("doctor").close()
    except (OperationalError, OSError, ValueError, KeyError) as fault:
        todo = "Start Redis, Valkey or RabbitMQ, or correct REDIS_URL. Moves are taken meanwhile, and judged later."
        yield failed(f"The broker does not answer: {fault}", todo)
        return
    yield passed(f"It answers after {(time.monotonic() - began) * 1000:.0f} ms.")


CHECKS = (Check("broker", _answers),)
