"""A mail server that takes everything: where the service's mails arrive while it is measured."""

from __future__ import annotations

import asyncio
import email
import queue
import re
import threading
import time
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any, Self

from aiosmtpd.smtp import SMTP

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope

MOVE = re.compile(r"^You may play: ([^|\n]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn mail that arrived: whose, where to answer, and a legal move."""

    player: str
    reply_to: str
    move: str
    match: str


class Sink:
    """Takes mail on a port, and keeps the turns that wait for their players."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.turns: queue.Queue[Turn] = queue.Queue()
        self._sent: dict[str, float] = {}
        self._waits: list[float] = []
        self._loop = asyncio.new_event_loop()

    def __enter__(self) -> Self:
        ready = threading.Event()
        threading.Thread(target=self._serve, args=(ready,), daemon=True).start()
        ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)

    def sent(self, turn: Turn, at: float) -> None:
        """Note when a move was answered with 250."""
        self._sent[turn.match] = at

    def waits(self, count: int) -> list[float]:
        """Give the last waits from a 250 to the next turn mail of its match."""
        return self._waits[-count:]

    async def handle_DATA(self, _server: SMTP, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail; keep it if it asks for a move."""
        mail = email.message_from_bytes(envelope.original_content or b"")
        text = next(part for part in mail.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
        found = MOVE.search(bytes(text).decode()) if isinstance(text, bytes) else None
        match = str(mail["References"]).split()[0].split(".")[1]
        if found:
            self.turns.put(Turn(parseaddr(mail["To"])[1], parseaddr(mail["Reply-To"])[1], found[1].strip(), match))
            if match in self._sent:
                self._waits.append(max(0.0, time.monotonic() - self._sent.pop(match)))
        return "250 taken"

    def _serve(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        make = self._loop.create_server(lambda: SMTP(self, enable_SMTPUTF8=True), "127.0.0.1", self.port)
        self._loop.run_until_complete(make)
        ready.set()
        self._loop.run_forever()
