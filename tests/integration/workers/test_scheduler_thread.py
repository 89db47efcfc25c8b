"""The scheduler as a thread of a worker, over a real broker."""

from __future__ import annotations

import json
import logging
import shelve
import threading
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import pytest
from redis import Redis

from pbem.config import from_environment
from pbem.task_queue import QUEUE_NAME, make_celery_app
from tests.support.house import settings
from tests.support.live_service import until
from workers import scheduler_thread
from workers.scheduler_thread import scheduling

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from celery import Celery

    from pbem.ops.up.valkey import Broker


@pytest.fixture
def app(valkey: str, tmp_path: Path) -> Iterator[Celery]:
    given = settings("postgresql://nobody@127.0.0.1:1/none", tmp_path, REDIS_URL=valkey)
    with closing(make_celery_app(from_environment(given))) as app:
        app.conf.beat_schedule = {"sweep": {"task": "sweep", "schedule": 0.1}}
        yield app


@pytest.fixture
def queue(broker: Broker) -> Iterator[Redis]:
    with Redis.from_url(broker.client_url) as queue:
        yield queue


def enqueued(queue: Redis) -> set[str]:
    return {json.loads(message)["headers"]["task"] for message in queue.lrange(QUEUE_NAME, 0, -1)}


def is_scheduling() -> bool:
    return "beat" in {thread.name for thread in threading.enumerate()}


def test_recurring_tasks_are_enqueued_within_the_block(app: Celery, queue: Redis, tmp_path: Path) -> None:
    with scheduling(app, str(tmp_path / "schedule")):
        until(partial(enqueued, queue))
    assert enqueued(queue) == {"sweep"}
    assert not is_scheduling()


def test_the_next_worker_goes_on_where_the_last_one_stopped(app: Celery, queue: Redis, tmp_path: Path) -> None:
    file = str(tmp_path / "schedule")
    counts = []
    for _worker in range(2):
        queue.flushall()
        with scheduling(app, file):
            until(partial(enqueued, queue))
        with shelve.open(file) as state:  # noqa: S301 -- our own
            counts.append(state["entries"]["sweep"].total_run_count)
    assert 0 < counts[0] < counts[1]


def test_a_scheduler_that_fails_ends_no_worker_and_is_followed_by_another(
    app: Celery, queue: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(scheduler_thread, "RETRY_SECONDS", 0.01)
    folder = tmp_path / "missing"
    with caplog.at_level(logging.ERROR, "workers.scheduler_thread"), scheduling(app, str(folder / "schedule")):
        until(lambda: len(caplog.records) > 1)
        assert is_scheduling()
        folder.mkdir()
        until(partial(enqueued, queue))
    assert {record.getMessage() for record in caplog.records} >= {"the scheduler has failed, and starts again"}
