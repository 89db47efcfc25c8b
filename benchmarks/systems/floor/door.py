"""The floor's door: a protocol that takes mail; what came in together is committed together, each before its 250."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from typing import Any

import psycopg
from redis import Redis
from uvloop import new_event_loop

from benchmarks.systems.floor.tables import KEEP

TO = re.compile(rb"play\+(\d+)\.(\d+)\.\d+@")
END = b"\r\n.\r\n"
DUE = "due"
"""The list of matches with something to judge."""
Line = tuple[asyncio.WriteTransport, int, int, bytes]


def serve(port: int, database: str, broker: str) -> None:
    """Take mail until the process is ended."""
    keeper = Keeper(psycopg.connect(database), Redis.from_url(broker))
    loop = new_event_loop()
    loop.run_until_complete(loop.create_server(lambda: Door(keeper, loop), "127.0.0.1", port))
    loop.run_forever()


class Keeper:
    """Stores mails: those that one look at all connections has brought."""

    def __init__(self, connection: psycopg.Connection[Any], broker: Redis) -> None:
        self._connection, self._broker = connection, broker
        self._come: list[Line] = []

    def offer(self, loop: asyncio.AbstractEventLoop, line: Line) -> None:
        """Take a mail to be kept with the others."""
        self._come.append(line)
        if len(self._come) == 1:
            loop.call_soon(self._keep)

    def _keep(self) -> None:
        come, self._come = self._come, []
        lines, matches, seats, raws = zip(*come, strict=True)
        rows = [
            [secrets.token_hex(13) for _ in come],
            list(matches),
            [2 * match - 2 + seat for match, seat in zip(matches, seats, strict=True)],
            list(raws),
            [hashlib.sha256(raw).digest() for raw in raws],
        ]
        with self._connection.transaction():
            self._connection.execute(KEEP, rows, prepare=True)
        for line in lines:
            line.write(b"250 kept\r\n")
        self._broker.rpush(DUE, *matches)


class Door(asyncio.Protocol):
    """A connection that brings mails."""

    def __init__(self, keeper: Keeper, loop: asyncio.AbstractEventLoop) -> None:
        self._keeper, self._loop = keeper, loop
        self._heard, self._in_data, self._to = bytearray(), False, (0, 0)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        self._line: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self._line.write(b"220 floor\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer commands, and take mails."""
        self._heard += data
        while (end := self._heard.find(END if self._in_data else b"\r\n")) >= 0:
            said = bytes(self._heard[:end])
            del self._heard[: end + (len(END) if self._in_data else 2)]
            if self._in_data:
                self._in_data = False
                self._keeper.offer(self._loop, (self._line, *self._to, said.replace(b"\r\n..", b"\r\n.")))
            else:
                self._answer(said)

    def _answer(self, said: bytes) -> None:
        word = said[:4].upper()
        if word == b"RCPT" and (to := TO.search(said)):
            self._to = int(to[1]), int(to[2])
        self._in_data = word == b"DATA"
        self._line.write(b"354 go on\r\n" if self._in_data else b"250 OK\r\n")
