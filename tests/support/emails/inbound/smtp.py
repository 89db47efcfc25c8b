"""The door for mail, opened on ports of its own, and LMTP spoken to it by hand."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from emails.inbound.transports.smtp import serve
from tests.support.live_service import free_port, until
from tests.support.mailservers import listens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from tests.support.house import House

SENDER = "ann@example.org"
UNKNOWN = f"play+{'0' * 26}@games.localhost"


@contextmanager
def door(house: House, engine: Engine | None = None) -> Iterator[tuple[int, int]]:
    """Take mail by SMTP and LMTP, each on a port of its own."""
    ports = free_port(), free_port()
    smtp, lmtp = (f"127.0.0.1:{port}" for port in ports)
    config = replace(house.config, smtp_listen=smtp, lmtp_listen=lmtp)
    loop, stop = asyncio.new_event_loop(), asyncio.Event()

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(serve(engine or house.engine, config, stop))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: all(map(listens, ports)))
    try:
        yield ports
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def lmtp(port: int, lines: list[bytes]) -> list[bytes]:
    """Speak LMTP by hand: send each line, and read one answer after it, or all that come."""
    answers: list[bytes] = []
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line, line.makefile("rb") as said:
        said.readline()
        for number, sent in enumerate(lines):
            line.sendall(sent + b"\r\n")
            answer = said.readline()
            while answer[3:4] == b"-":
                answer = said.readline()
            answers.append(answer)
            if number == len(lines) - 1:
                line.sendall(b"NOOP\r\n")
                while not (answer := said.readline()).startswith(b"250 OK"):
                    answers.append(answer)
    return answers
