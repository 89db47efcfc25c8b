"""Check that the broker answers."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kombu.exceptions import OperationalError

from pbem.ops.doctor.check import Check, CheckContext, Results, failed, passed
from pbem.task_queue import make_celery_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery
    from kombu import Connection

CONNECT_TIMEOUT_SECONDS = 3
TASK_EXPIRES_SECONDS = 30
"""Seconds until a task that nobody took expires."""


@contextmanager
def open_connection(context: CheckContext) -> Iterator[tuple[Celery, Connection]]:
    """Open a connection to the broker; raises an exception within seconds if that fails."""
    app = make_celery_app(context.config)
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=CONNECT_TIMEOUT_SECONDS)
        yield app, connection


def send_task(context: CheckContext, task: str, *args: object) -> None:
    """Send a task."""
    with open_connection(context) as (app, connection):
        app.send_task(task, args, connection=connection, retry=False, ignore_result=True, expires=TASK_EXPIRES_SECONDS)


def _check_broker(context: CheckContext) -> Results:
    began = time.monotonic()
    try:
        with open_connection(context) as (_, connection):
            # With Redis, only opening a queue sends a command; RabbitMQ would keep the queue.
            if context.config.broker_has_counters:
                connection.SimpleQueue("doctor").close()
    except (OperationalError, OSError, ValueError, KeyError) as error:
        todo = "Start Redis, Valkey or RabbitMQ, or correct REDIS_URL. Moves are still accepted, and judged later."
        yield failed(f"The broker does not answer: {error}", todo)
        return
    yield passed(f"The broker answered in {(time.monotonic() - began) * 1000:.0f} ms.")


CHECKS = (Check("broker", _check_broker),)
