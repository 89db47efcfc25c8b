"""Sending tasks by name, from any process, without loading the tasks themselves."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from amqp import AMQPError
from celery import Celery
from kombu import Connection, Exchange, Queue
from redis import Redis
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.config import Config
    from pbem.db.session import Sender

    Hint = tuple[str, tuple[Any, ...]]

log = logging.getLogger(__name__)

QUEUE = "pbem"
PATIENCE = 2
"""Seconds that a task may take to send; a hint is not worth waiting for."""

ONCE_MORE = {"max_retries": 1, "interval_start": 0, "interval_step": 0}
PAUSE = 0.03
"""Seconds from one sending aside to the next: a task alone goes at once, and many gather."""
AT_ONCE = 8
"""A hint names so many things of a kind at the most: enough to be cheap, and few enough for several workers."""
TOGETHER = frozenset({"judge"})
"""The tasks that take several things of their kind."""

SCHEDULE = {
    "sweep": {"task": "sweep", "schedule": 5.0, "options": {"expires": 5}},
    "tick": {"task": "tick", "schedule": 5.0, "options": {"expires": 5}},
    "waiting": {"task": "waiting", "schedule": 600.0, "options": {"expires": 600}},
    "tallies": {"task": "tallies", "schedule": 900.0, "options": {"expires": 900}},
    "pulse": {"task": "pulse", "schedule": 15.0, "options": {"expires": 15}},
}
"""What beat sends, and how often; a task that nobody took in time is not worth doing twice."""


def celery_app(config: Config) -> Celery:
    """Make the Celery app over the configured broker."""
    app = Celery("pbem", broker=config.redis_url, set_as_current=False)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_store_errors_even_if_ignored=False,
        task_default_queue=QUEUE,
        # What is taken from Redis is gone at once: to acknowledge it would cost more than to take it, and what is lost
        # with its worker is found by the sweep, sooner than Redis would give it to another.
        task_queues=[Queue(QUEUE, Exchange(QUEUE), QUEUE, no_ack=config.broker_counts)],
        worker_disable_prefetch=config.broker_counts,
        # A hint that is lost with the broker is found by the sweep: it need not be on a disk.
        task_default_delivery_mode="transient",
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        # Whoever sends only does not answer in between, and RabbitMQ would take it for dead: the network tells instead.
        broker_heartbeat=0,
        broker_connection_timeout=PATIENCE,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "max_retries": 1,
            "interval_start": 0,
            "interval_max": 0.2,
        },
        timezone="UTC",
        enable_utc=True,
        beat_schedule=SCHEDULE,
    )
    return app


def bind(config: Config, *, aside: bool = False) -> Celery:
    """Let this process send the tasks that the table names after commit; `aside` in a thread, so that nobody waits."""
    from pbem.db.session import bind_sender  # noqa: PLC0415 -- beat needs no database, and is smaller without

    app = celery_app(config)
    send = sender(app, config)
    bind_sender(Aside(send) if aside else send)
    return app


def sender(app: Celery, config: Config) -> Sender:
    """Give what sends tasks over the broker."""
    # The lines of Redis open themselves again where they were cut; those of RabbitMQ have to be asked to, once.
    again = not config.broker_counts

    def send(task: str, arguments: tuple[Any, ...]) -> None:
        app.send_task(task, arguments, retry=again, retry_policy=ONCE_MORE, ignore_result=True)

    return send


def answers(config: Config, patience: float) -> bool:
    """Tell whether the broker is there."""
    try:
        if config.broker_counts:
            with Redis.from_url(config.broker_url, socket_timeout=patience, socket_connect_timeout=patience) as redis:
                redis.ping()
        else:
            with Connection(config.redis_url, connect_timeout=patience) as line:
                line.connect()
    except (RedisError, AMQPError, OSError, ValueError):
        return False
    return True


class Aside:
    """Sends tasks in a thread of its own; those that are named several times meanwhile once, and many in one.

    What it had not sent when its process ends is found by the sweep.
    """

    def __init__(self, send: Sender) -> None:
        self._send = send
        self._waiting: dict[tuple[str, tuple[Any, ...]], None] = {}
        self._named = threading.Condition()
        threading.Thread(target=self._run, name="hints", daemon=True).start()

    def __call__(self, task: str, arguments: tuple[Any, ...]) -> None:
        """Have a task sent soon."""
        with self._named:
            self._waiting[task, arguments] = None
            self._named.notify()

    def _run(self) -> None:
        while True:
            with self._named:
                self._named.wait_for(lambda: self._waiting)
                named, self._waiting = list(self._waiting), {}
            for task, arguments in gathered(named):
                try:
                    self._send(task, arguments)
                except Exception:
                    log.warning("could not send task %s; the sweep will find it", task, exc_info=True)
            time.sleep(PAUSE)


def gathered(named: Iterable[Hint]) -> Iterator[Hint]:
    """Put together what one hint can name: sending one costs more than what it says."""
    several: dict[str, list[Any]] = {}
    for task, arguments in named:
        if task in TOGETHER:
            several.setdefault(task, []).extend(arguments)
        else:
            yield task, arguments
    for task, things in several.items():
        for first in range(0, len(things), AT_ONCE):
            yield task, tuple(things[first : first + AT_ONCE])
