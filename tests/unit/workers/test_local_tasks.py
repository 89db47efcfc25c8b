"""Local tasks: what a worker does itself at once, and what it leaves to the broker."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from celery import Celery

from tests.support.live_service import until
from workers.local_tasks import LocalTaskSender

if TYPE_CHECKING:
    from collections.abc import Callable


class Worker:
    """A worker whose relays wait for a sign, and tell what they were asked to do."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, tuple[Any, ...]]] = []
        self.done: list[int] = []
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        self.fault: Callable[[], None] = lambda: None
        app = Celery("local tasks", set_as_current=False)

        @app.task(name="deliver_mail", shared=False)
        def relay(shard: int) -> None:
            self.begun.release()
            assert self.go.wait(20)
            self.done.append(shard)
            self.fault()

        app.finalize()
        self.local_tasks = LocalTaskSender(app, lambda task, arguments: self.sent.append((task, arguments)))


@pytest.fixture
def worker() -> Worker:
    return Worker()


def test_a_relay_is_done_at_once_and_all_else_goes_over_the_broker(worker: Worker) -> None:
    worker.go.set()
    worker.local_tasks("deliver_mail", (2,))
    worker.local_tasks("judge_submissions", ("match",))
    until(lambda: worker.done == [2])
    assert worker.sent == [("judge_submissions", ("match",))]


def test_what_is_named_while_it_is_under_way_is_done_once_more(worker: Worker) -> None:
    worker.local_tasks("deliver_mail", (1,))
    assert worker.begun.acquire(timeout=20)
    for _time in range(3):
        worker.local_tasks("deliver_mail", (1,))
    worker.local_tasks("deliver_mail", (3,))
    worker.go.set()
    until(lambda: sorted(worker.done) == [1, 1, 3])
    worker.local_tasks("deliver_mail", (1,))
    until(lambda: sorted(worker.done) == [1, 1, 1, 3])


def test_one_that_fails_is_told_of_and_hinders_no_later_one(worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise OSError

    worker.fault = fail
    worker.go.set()
    worker.local_tasks("deliver_mail", (1,))
    until(lambda: "the sweeper will enqueue it again" in caplog.text)
    worker.local_tasks("deliver_mail", (1,))
    until(lambda: worker.done == [1, 1])


def test_a_worker_that_ends_leaves_its_tasks_to_the_broker(worker: Worker) -> None:
    worker.local_tasks._threads.shutdown()
    for _time in range(2):
        worker.local_tasks("deliver_mail", (1,))
    assert worker.sent == [("deliver_mail", (1,))] * 2
