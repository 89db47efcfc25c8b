"""Check that the broker answers."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kombu.exceptions import OperationalError

from pbem.ops.doctor.check import Check, failed, passed
from pbem.task_queue import make_celery_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery
    from kombu import Connection

    from pbem.ops.doctor.check import CheckContext, Result

CONNECT_TIMEOUT_SECONDS = 3
TASK_EXPIRES_SECONDS = 30
"""Seconds until a task that nobody took expires."""


@contextmanager
def open_connection(ground: CheckContext) -> Iterator[tuple[Celery, Connection]]:
    """Open a connection to the broker; raises an exception within seconds if that fails."""
    app = make_celery_app(ground.config)
    with app.connection_for_write() as line:
        line.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=CONNECT_TIMEOUT_SECONDS)
        yield app, line


def send_task(ground: CheckContext, task: str, *arguments: object) -> None:
    """Send a task."""
    with open_connection(ground) as (app, line):
        app.send_task(task, arguments, connection=line, retry=False, ignore_result=True, expires=TASK_EXPIRES_SECONDS)


def _check_broker(ground: CheckContext) -> Iterator[Result]:
    began = time.monotonic()
    try:
        with open_connection(ground) as (_, line):
            # With Redis, only opening a queue sends a command; RabbitMQ would keep the queue.
            if ground.config.broker_has_counters:
                line.SimpleQueue("doctor").close()
    except (OperationalError, OSError, ValueError, KeyError) as fault:
        todo = "Start Redis, Valkey or RabbitMQ, or correct REDIS_URL. Moves are taken meanwhile, and judged later."
        yield failed(f"The broker does not answer: {fault}", todo)
        return
    yield passed(f"It answers after {(time.monotonic() - began) * 1000:.0f} ms.")


CHECKS = (Check("broker", _check_broker),)
