"""The broker: it answers those who send tasks and those who take them."""

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
"""A task that nobody took in this time is not worth doing any more."""


@contextmanager
def line_to(ground: Ground) -> Iterator[tuple[Celery, Connection]]:
    """Open a line to the broker, or raise what tells why not after some seconds."""
    app = celery_app(ground.config)
    with app.connection_for_write() as line:
        line.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=PATIENCE)
        yield app, line


def send(ground: Ground, task: str, *arguments: object) -> None:
    """Have a task done soon."""
    with line_to(ground) as (app, line):
        app.send_task(task, arguments, connection=line, retry=False, ignore_result=True, expires=TASK_SECONDS)


def _answers(ground: Ground) -> Iterator[Said]:
    began = time.monotonic()
    try:
        with line_to(ground) as (_, line):
            # Redis is asked nothing before a queue is looked at; RabbitMQ would keep the queue.
            if ground.config.broker_counts:
                line.SimpleQueue("doctor").close()
    except (OperationalError, OSError, ValueError, KeyError) as fault:
        todo = "Start Redis, Valkey or RabbitMQ, or correct REDIS_URL. Moves are taken meanwhile, and judged later."
        yield failed(f"The broker does not answer: {fault}", todo)
        return
    yield passed(f"It answers after {(time.monotonic() - began) * 1000:.0f} ms.")


CHECKS = (Check("broker", _answers),)
