"""A mail server that takes everything: where the service's mails arrive while it is measured.

It does as little as a mail server can, for what it costs is taken from those who are measured.
"""

from __future__ import annotations

import asyncio
import email
import queue
import quopri
import random
import re
import socket
import threading
import time
from dataclasses import dataclass
from email.utils import parseaddr
from typing import Self

MOVE = re.compile(r"^ +reply #\d+ for ([^\r\n]+)", re.MULTILINE)
END = b"\r\n.\r\n"


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, patience: float = 180.0) -> None:
    """Wait until somebody listens on a port."""
    end = time.monotonic() + patience
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
        else:
            return


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn mail that arrived: whose, where to answer, one of its moves, what a reply quotes, and when it came."""

    player: str
    reply_to: str
    move: str
    match: str
    message_id: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Arrived:
    """What has arrived up to now: mails, their bytes, and when the last one came."""

    mails: int = 0
    octets: int = 0
    last: float = 0.0


def parse_turn(raw: bytes, at: float, chance: random.Random) -> Turn | None:
    """Return the turn that a mail asks for, with one of the moves that it suggests; None if it is in no thread."""
    head, _, body = raw.partition(b"\r\n\r\n")
    mail = email.message_from_bytes(head)
    parts = body.split(b"--" + (mail.get_boundary() or "none").encode(), 2)
    # The text is the first part, below headers of its own.
    text = quopri.decodestring(parts[1 % len(parts)]).decode(errors="replace").partition("\r\n\r\n")[2]
    if not mail["References"] or not (moves := MOVE.findall(text)):
        return None
    player, reply_to = (parseaddr(mail[name])[1] for name in ("To", "Reply-To"))
    match = str(mail["References"]).split()[0].split(".")[1]
    return Turn(player, reply_to, chance.choice(moves), match, str(mail["Message-ID"]), text, at)


class Sink:
    """Takes mail on a port, and keeps the turns that wait for their players."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.turns: queue.Queue[Turn] = queue.Queue()
        self.arrived = Arrived()
        self.asked: list[tuple[str, float]] = []
        """The match of each turn mail, and when it came."""
        self._chance = random.Random(1)  # noqa: S311 -- any moves will do
        self._lines: set[asyncio.BaseTransport] = set()
        self._loop = asyncio.new_event_loop()

    def __enter__(self) -> Self:
        ready = threading.Event()
        threading.Thread(target=self._serve, args=(ready,), daemon=True).start()
        ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end)

    def hold(self, line: asyncio.BaseTransport) -> None:
        """Store a connection, to close it in the end: who holds it open would wait for an answer to its QUIT."""
        self._lines.add(line)

    def take(self, raw: bytes) -> None:
        """Take a mail; keep it if it asks for a move."""
        now, before = time.monotonic(), self.arrived
        if turn := parse_turn(raw, now, self._chance):
            self.asked.append((turn.match, now))
            self.turns.put(turn)
        self.arrived = Arrived(before.mails + 1, before.octets + len(raw), now)

    def _end(self) -> None:
        for line in self._lines:
            line.close()
        # What is to be closed is closed in the next turn.
        self._loop.call_soon(self._loop.stop)

    def _serve(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        make = self._loop.create_server(lambda: Line(self), "127.0.0.1", self.port)
        self._loop.run_until_complete(make)
        ready.set()
        self._loop.run_forever()


class Line(asyncio.Protocol):
    """A connection that a mail comes by: it says yes to whatever is said."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._heard = bytearray()
        self._in_data = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        self._transport: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self._sink.hold(transport)
        self._transport.write(b"220 sink\r\n")

    def data_received(self, data: bytes) -> None:
        """Answer each command, and take each mail."""
        # The end of a mail may come in two pieces.
        looked = max(0, len(self._heard) - len(END))
        self._heard += data
        while (end := self._heard.find(END if self._in_data else b"\r\n", looked)) >= 0:
            said = bytes(self._heard[:end])
            del self._heard[: end + (len(END) if self._in_data else 2)]
            looked = 0
            if self._in_data:
                self._sink.take(said)
                self._in_data = False
                self._transport.write(b"250 taken\r\n")
            else:
                self._answer(said)

    def _answer(self, command: bytes) -> None:
        word = command[:4].upper()
        self._in_data = word == b"DATA"
        answers = {b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250 SMTPUTF8\r\n", b"DATA": b"354 go on\r\n"}
        self._transport.write(answers.get(word, b"221 bye\r\n" if word == b"QUIT" else b"250 OK\r\n"))
        if word == b"QUIT":
            self._transport.close()
