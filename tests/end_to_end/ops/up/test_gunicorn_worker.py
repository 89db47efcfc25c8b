"""A client that sends or reads slowly holds up nobody else."""

from __future__ import annotations

import socket
import urllib.request
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.ops.up.gunicorn_worker import HEAD_TIMEOUT_SECONDS

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

MANY = 40
"""Several times as many as there are threads."""
HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-a: "
BODY = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nemail="
NOTHING = b""
PICTURES = b"GET /rules/minimax HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def test_clients_that_send_slowly_hold_up_nobody(live_service: LiveService) -> None:
    split = urlsplit(live_service.url)
    with ExitStack() as held:
        for sent in (HEAD, BODY, NOTHING):
            for _ in range(MANY):
                client = held.enter_context(closing(socket.create_connection((split.hostname, split.port))))
                client.sendall(sent)
        for _ in range(3):
            with urllib.request.urlopen(f"{live_service.url}/healthz", timeout=HEAD_TIMEOUT_SECONDS) as answer:
                assert answer.status == 200


def test_clients_that_read_slowly_hold_up_nobody(live_service: LiveService) -> None:
    split = urlsplit(live_service.url)
    with ExitStack() as held:
        for _ in range(MANY // 2):
            client = held.enter_context(closing(socket.socket()))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.connect((split.hostname, split.port))
            # Asked for several times over, and never read: more than the buffers of both sides hold.
            client.sendall(PICTURES * 20)
        with urllib.request.urlopen(f"{live_service.url}/healthz", timeout=60) as answer:
            assert answer.status == 200
