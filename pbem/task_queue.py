"""Sends Celery tasks by name, from any process, without importing the tasks."""

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
    from pbem.db.session import TaskSender

    TaskCall = tuple[str, tuple[Any, ...]]

log = logging.getLogger(__name__)

QUEUE_NAME = "pbem"
ROBOTS_QUEUE_NAME = "robots"
"""Queue of the thoughts of robots, so that they can have workers of their own."""
SEND_TIMEOUT_SECONDS = 2
"""Seconds to wait for sending a task."""

BATCH_INTERVAL_SECONDS = 0.03
MAX_BATCH_INTERVAL_SECONDS = 0.1
"""Seconds between two background sends: a single task goes out at once, and the thicker they come the more gather."""
MAX_ITEMS_PER_TASK = 8
"""Maximum items of a kind in one task: enough to be cheap, few enough to spread over several workers."""
BATCHABLE_TASKS = frozenset({"judge_submissions"})
"""Tasks that accept several items in one message."""

BEAT_SCHEDULE = {
    "sweep": {"task": "sweep", "schedule": 5.0, "options": {"expires": 5}},
    "claim_deadlines": {"task": "claim_deadlines", "schedule": 5.0, "options": {"expires": 5}},
    "expire_tables": {"task": "expire_tables", "schedule": 600.0, "options": {"expires": 600}},
    "run_events": {"task": "run_events", "schedule": 60.0, "options": {"expires": 60}},
    "rate_matches": {"task": "rate_matches", "schedule": 60.0, "options": {"expires": 60}},
    "update_statistics": {"task": "update_statistics", "schedule": 900.0, "options": {"expires": 900}},
    "heartbeat": {"task": "heartbeat", "schedule": 15.0, "options": {"expires": 15}},
}
"""Periodic tasks of beat, with their interval in seconds; a task that nobody took in time expires."""


def make_celery_app(config: Config) -> Celery:
    """Create the Celery app for the configured broker."""
    app = Celery("pbem", broker=config.redis_url, set_as_current=False)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_store_errors_even_if_ignored=False,
        task_default_queue=QUEUE_NAME,
        # No acknowledgement with Redis: the sweeper finds what is lost with a worker before Redis would redeliver it.
        task_queues=[
            Queue(name, Exchange(name), name, no_ack=config.broker_has_counters)
            for name in (QUEUE_NAME, ROBOTS_QUEUE_NAME)
        ],
        task_routes={"think": {"queue": ROBOTS_QUEUE_NAME}},
        worker_disable_prefetch=config.broker_has_counters,
        # The sweeper recovers what is lost with the broker, so messages need not be stored on disk.
        task_default_delivery_mode="transient",
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        # Processes that only send answer no heartbeats, and RabbitMQ would close them: rely on TCP instead.
        broker_heartbeat=0,
        broker_connection_timeout=SEND_TIMEOUT_SECONDS,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "socket_timeout": SEND_TIMEOUT_SECONDS,
            "socket_connect_timeout": SEND_TIMEOUT_SECONDS,
            "max_retries": 1,
            "interval_start": 0,
            "interval_max": 0.2,
        },
        timezone="UTC",
        enable_utc=True,
        beat_schedule=BEAT_SCHEDULE,
    )
    return app


def bind(config: Config, *, in_background: bool = False) -> Celery:
    """Set this process's task sender; with `in_background` it sends from a thread, so that nobody waits."""
    from pbem.db.session import set_task_sender  # noqa: PLC0415 -- beat needs no database, and is smaller without it

    app = make_celery_app(config)
    send = make_sender(app, config)
    set_task_sender(BatchingSender(send) if in_background else send)
    return app


def make_sender(app: Celery, config: Config) -> TaskSender:
    """Return the function that sends tasks through the broker."""
    # The Redis client reconnects by itself; for RabbitMQ one retry is needed.
    retry = not config.broker_has_counters
    policy = {"max_retries": 1, "interval_start": 0, "interval_step": 0}

    def send(task: str, args: tuple[Any, ...]) -> None:
        app.send_task(task, args, retry=retry, retry_policy=policy, ignore_result=True)

    return send


def is_reachable(config: Config, patience: float) -> bool:
    """Return whether the broker can be reached."""
    try:
        if config.broker_has_counters:
            with Redis.from_url(config.broker_url, socket_timeout=patience, socket_connect_timeout=patience) as redis:
                redis.ping()
        else:
            with Connection(config.redis_url, connect_timeout=patience) as connection:
                connection.connect()
    except (RedisError, AMQPError, OSError, ValueError):
        return False
    return True


class BatchingSender:
    """Sends tasks from a background thread, without duplicates and several in one message.

    The sweeper finds what was not sent when the process ended.
    """

    def __init__(self, send: TaskSender) -> None:
        self._send = send
        self._pending: dict[TaskCall, None] = {}
        self._queued = threading.Condition()
        threading.Thread(target=self._run, name="task sender", daemon=True).start()

    def __call__(self, task: str, args: tuple[Any, ...]) -> None:
        """Queue a task to be sent soon."""
        with self._queued:
            self._pending[task, args] = None
            self._queued.notify()

    def _run(self) -> None:
        while True:
            with self._queued:
                self._queued.wait_for(lambda: self._pending)
                calls, self._pending = list(self._pending), {}
            for task, args in merge_tasks(calls):
                try:
                    self._send(task, args)
                except Exception:
                    log.warning("could not send task %s; the sweep will find it", task, exc_info=True)
            time.sleep(batch_interval(len(calls)))


def batch_interval(sent: int) -> float:
    """Return the seconds in which tasks gather after a number of them was sent together."""
    return min((sent + 1) * BATCH_INTERVAL_SECONDS, MAX_BATCH_INTERVAL_SECONDS)


def merge_tasks(calls: Iterable[TaskCall]) -> Iterator[TaskCall]:
    """Merge tasks that one message can carry: sending costs more than the content."""
    batches: dict[str, list[Any]] = {}
    for task, args in calls:
        if task in BATCHABLE_TASKS:
            batches.setdefault(task, []).extend(args)
        else:
            yield task, args
    for task, items in batches.items():
        for first in range(0, len(items), MAX_ITEMS_PER_TASK):
            yield task, tuple(items[first : first + MAX_ITEMS_PER_TASK])
