"""Naming tasks without waiting for the broker."""

from __future__ import annotations

import threading

from pbem.broker import Aside
from tests.outside import until


def test_a_task_is_sent_by_another_thread_and_once_while_it_waits() -> None:
    sent: list[tuple[str, int]] = []
    free, busy = threading.Event(), threading.Event()

    def send(task: str, arguments: tuple[int]) -> None:
        busy.set()
        free.wait(10)
        sent.append((task, *arguments))

    aside = Aside(send)
    aside("judge", (1,))
    busy.wait(10)
    for number in (2, 3, 2, 1):
        aside("judge", (number,))
    assert sent == []
    free.set()
    until(lambda: len(sent) == 4)
    assert sent == [("judge", 1), ("judge", 2), ("judge", 3), ("judge", 1)]


def test_a_broker_that_is_away_stops_nothing() -> None:
    sent: list[str] = []

    def send(task: str, _arguments: tuple[int]) -> None:
        if task == "lost":
            raise OSError("nobody listens")
        sent.append(task)

    aside = Aside(send)
    aside("lost", ())
    until(lambda: not aside._waiting)
    aside("found", ())
    until(lambda: sent)
    assert sent == ["found"]
