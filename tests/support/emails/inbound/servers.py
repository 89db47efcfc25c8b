"""A small real mail server for tests of sending: it keeps what it takes, and refuses as it is told."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import SMTP, AuthResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from aiosmtpd.smtp import Envelope, Session

CUT = "cut"
"""Told instead of an answer: hang up."""


@dataclass
class Neighbour:
    """What a neighbouring mail server does with mail; its answers are given one after the other, then 250."""

    at_rcpt: list[str] = field(default_factory=list)
    at_data: list[str] = field(default_factory=list)
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    connections: int = 0
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)
    on_data: Callable[[], None] | None = None
    hang_up: Callable[[], None] = lambda: None

    async def handle_EHLO(  # noqa: N802
        self, _server: Any, session: Session, _envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_RCPT(  # noqa: N802
        self, server: Any, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        answer = self.at_rcpt.pop(0) if self.at_rcpt else "250 OK"
        if answer == CUT:
            server.transport.close()
        envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.at_data.pop(0) if self.at_data else "250 OK"
        if answer == CUT:
            server.transport.close()
        elif answer.startswith("250"):
            self.taken.append((envelope.rcpt_tos[0], bytes(envelope.original_content or b"")))
            self.senders.append(envelope.mail_from or "")
        if self.on_data:
            self.on_data()
        return answer

    def login(self, _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"pass word", handled=False)


@contextmanager
def listening(neighbour: Neighbour, kind: type[SMTP] = SMTP, **more: Any) -> Iterator[str]:
    """Run the neighbour; gives its host and port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    doors: list[Any] = []

    async def close_lines() -> None:
        for door in doors:
            if door.transport:
                door.transport.close()

    neighbour.hang_up = lambda: asyncio.run_coroutine_threadsafe(close_lines(), loop).result()

    def open_line() -> SMTP:
        door = kind(neighbour, **more)
        doors.append(door)
        return door

    async def open_door() -> asyncio.Server:
        return await loop.create_server(open_line, "127.0.0.1", 0)

    async def close_door(server: asyncio.Server) -> None:
        server.close()
        await close_lines()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(open_door(), loop).result(10)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        asyncio.run_coroutine_threadsafe(close_door(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
