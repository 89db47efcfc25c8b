"""A client that sends or reads slowly holds up nobody else."""

from __future__ import annotations

import socket
import urllib.request
from contextlib import ExitStack, closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from gunicorn.workers.base import Worker

from pbem.config import WRONG
from pbem.up.buffering import BODY_SECONDS, HEAD_SECONDS, LEAST_BOOT, BufferingWorker, Stopwatch

if TYPE_CHECKING:
    from tests.outside import Running

MANY = 40
"""Several times as many as there are threads."""
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-a: "
BODY = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nemail="
NOTHING = b""
PICTURES = b"GET /rules/minimax HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Channel:
    """What a stopwatch needs of a connection."""

    def __init__(self, request: object) -> None:
        self.request = request


@pytest.mark.parametrize(("booted", "paused"), [(False, [LEAST_BOOT]), (True, [])])
def test_a_process_that_cannot_start_is_not_followed_at_once_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
    booted: bool,  # noqa: FBT001 (what is looked for)
    paused: list[float],
) -> None:
    def end(_worker: Worker) -> None:
        raise SystemExit(WRONG)

    pauses: list[float] = []
    monkeypatch.setattr(Worker, "init_process", end)
    monkeypatch.setattr("pbem.up.buffering.time.sleep", pauses.append)
    worker = BufferingWorker.__new__(BufferingWorker)
    worker.booted = booted
    with pytest.raises(SystemExit):
        worker.init_process()
    assert pauses == paused


def test_a_head_and_a_body_each_have_their_time() -> None:
    head, body = Channel(SimpleNamespace(headers_finished=False)), Channel(SimpleNamespace(headers_finished=True))
    watch: Any = Stopwatch()
    assert watch.late([head, body], 100.0) == []
    assert watch.late([head, body], 100.0 + HEAD_SECONDS) == []
    assert watch.late([head, body], 100.5 + HEAD_SECONDS) == [head]
    assert watch.late([body], 100.5 + BODY_SECONDS) == [body]


def test_each_request_of_a_connection_has_a_time_of_its_own() -> None:
    one = Channel(SimpleNamespace(headers_finished=False))
    watch: Any = Stopwatch()
    assert watch.late([one], 100.0) == []
    one.request = None
    assert watch.late([one], 105.0) == []
    one.request = SimpleNamespace(headers_finished=False)
    assert watch.late([one], 109.0) == []
    assert watch.late([one], 111.0) == []
    one.request = SimpleNamespace(headers_finished=False)
    assert watch.late([one], 119.5) == []
    assert watch.late([one], 120.0 + HEAD_SECONDS) == [one]


def test_clients_that_send_slowly_hold_up_nobody(running: Running) -> None:
    split = urlsplit(running.url)
    with ExitStack() as held:
        for sent in (HEAD, BODY, NOTHING):
            for _ in range(MANY):
                client = held.enter_context(closing(socket.create_connection((split.hostname, split.port))))
                client.sendall(sent)
        for _ in range(3):
            with urllib.request.urlopen(f"{running.url}/healthz", timeout=HEAD_SECONDS) as answer:
                assert answer.status == 200


def test_clients_that_read_slowly_hold_up_nobody(running: Running) -> None:
    split = urlsplit(running.url)
    with ExitStack() as held:
        for _ in range(MANY // 2):
            client = held.enter_context(closing(socket.socket()))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.connect((split.hostname, split.port))
            # Asked for several times over, and never read: more than the buffers of both sides hold.
            client.sendall(PICTURES * 20)
        with urllib.request.urlopen(f"{running.url}/healthz", timeout=60) as answer:
            assert answer.status == 200
