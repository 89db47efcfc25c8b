"""Sending tasks by name, from any process, without loading the tasks themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celery import Celery

if TYPE_CHECKING:
    from pbem.config import Config

PATIENCE = 2
"""Seconds that a task may take to send; a hint is not worth waiting for."""

SCHEDULE = {
    "sweep": {"task": "sweep", "schedule": 5.0, "options": {"expires": 5}},
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
        task_default_queue="pbem",
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": 60,
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "max_retries": 1,
            "interval_start": 0,
            "interval_max": 0.2,
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
        },
        timezone="UTC",
        enable_utc=True,
        beat_schedule=SCHEDULE,
    )
    return app


def bind(config: Config) -> Celery:
    """Let this process send the tasks that the table names after commit."""
    from pbem.db.session import bind_sender  # noqa: PLC0415 -- beat needs no database, and is smaller without

    app = celery_app(config)

    def send(task: str, arguments: tuple[Any, ...]) -> None:
        app.send_task(task, arguments, retry=False, ignore_result=True)

    bind_sender(send)
    return app
