"""Naming tasks without waiting for the broker."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from pbem.config import from_environment
from pbem.task_queue import BatchingSender, is_reachable
from tests.support.house import settings
from tests.support.live_service import free_port, until

if TYPE_CHECKING:
    from pathlib import Path


def test_a_task_is_sent_by_another_thread_and_once_while_it_waits() -> None:
    sent: list[tuple[str, *tuple[int, ...]]] = []
    free, busy = threading.Event(), threading.Event()

    def send(task: str, arguments: tuple[int, ...]) -> None:
        busy.set()
        free.wait(10)
        sent.append((task, *arguments))

    aside = BatchingSender(send)
    aside("judge_submissions", (1,))
    busy.wait(10)
    for number in (2, 3, 2, 1):
        aside("judge_submissions", (number,))
    assert sent == []
    free.set()
    until(lambda: len(sent) == 2)
    assert sent == [("judge_submissions", 1), ("judge_submissions", 2, 3, 1)]


def test_a_broker_that_is_away_stops_nothing() -> None:
    sent: list[str] = []

    def send(task: str, _arguments: tuple[int]) -> None:
        if task == "lost":
            raise OSError("nobody listens")
        sent.append(task)

    aside = BatchingSender(send)
    aside("lost", ())
    until(lambda: not aside._pending)
    aside("found", ())
    until(lambda: sent)
    assert sent == ["found"]


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_a_broker_that_is_away_is_told_soon(scheme: str, tmp_path: Path) -> None:
    config = from_environment(settings("postgresql://x/x", tmp_path, REDIS_URL=f"{scheme}://127.0.0.1:{free_port()}/0"))
    assert not is_reachable(config, 1.0)


def test_a_broker_that_is_there_answers(valkey: str, tmp_path: Path) -> None:
    assert is_reachable(from_environment(settings("postgresql://x/x", tmp_path, REDIS_URL=valkey)), 5.0)
