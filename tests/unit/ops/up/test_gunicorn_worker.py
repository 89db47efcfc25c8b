"""A client that sends or reads slowly holds up nobody else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.workers.base import Worker

from pbem.config import EXIT_CONFIG_ERROR
from pbem.ops.up.gunicorn_worker import (
    HEAD_TIMEOUT_SECONDS,
    MIN_BOOT_SECONDS,
    REQUEST_TIMEOUT_SECONDS,
    BufferingWorker,
    Stopwatch,
)


class Channel:
    """What a stopwatch needs of a connection."""

    def __init__(self, request: object) -> None:
        self.request = request


@pytest.mark.parametrize(("booted", "paused"), [(False, [MIN_BOOT_SECONDS]), (True, [])])
def test_a_process_that_cannot_start_is_not_followed_at_once_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
    booted: bool,  # noqa: FBT001 (what is looked for)
    paused: list[float],
) -> None:
    def end(_worker: Worker) -> None:
        raise SystemExit(EXIT_CONFIG_ERROR)

    pauses: list[float] = []
    monkeypatch.setattr(Worker, "init_process", end)
    monkeypatch.setattr("pbem.ops.up.gunicorn_worker.time.sleep", pauses.append)
    worker = BufferingWorker.__new__(BufferingWorker)
    worker.booted = booted
    with pytest.raises(SystemExit):
        worker.init_process()
    assert pauses == paused


def test_a_head_and_a_body_each_have_their_time() -> None:
    head, body = Channel(SimpleNamespace(headers_finished=False)), Channel(SimpleNamespace(headers_finished=True))
    watch: Any = Stopwatch()
    assert watch.overdue([head, body], 100.0) == []
    assert watch.overdue([head, body], 100.0 + HEAD_TIMEOUT_SECONDS) == []
    assert watch.overdue([head, body], 100.5 + HEAD_TIMEOUT_SECONDS) == [head]
    assert watch.overdue([body], 100.5 + REQUEST_TIMEOUT_SECONDS) == [body]


def test_each_request_of_a_connection_has_a_time_of_its_own() -> None:
    one = Channel(SimpleNamespace(headers_finished=False))
    watch: Any = Stopwatch()
    assert watch.overdue([one], 100.0) == []
    one.request = None
    assert watch.overdue([one], 105.0) == []
    one.request = SimpleNamespace(headers_finished=False)
    assert watch.overdue([one], 109.0) == []
    assert watch.overdue([one], 111.0) == []
    one.request = SimpleNamespace(headers_finished=False)
    assert watch.overdue([one], 119.5) == []
    assert watch.overdue([one], 120.0 + HEAD_TIMEOUT_SECONDS) == [one]
