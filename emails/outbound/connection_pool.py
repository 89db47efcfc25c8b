"""Open connections to the mail server, reused for the next mails: opening one costs more than sending a mail."""

from __future__ import annotations

import atexit
import threading
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from emails.outbound.transport import create_transport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.outbound.transport import Transport
    from pbem.config import Config

IDLE_SECONDS = 5.0
"""Seconds that an unused connection is kept open, less than any server waits before it closes one."""


@contextmanager
def pooled_transport(config: Config) -> Iterator[Transport]:
    """Yield a transport that no other thread uses, reused if possible; the caller must open it."""
    pool = _pool(config.smtp_url, config.mail_domain)
    transport = pool.acquire() or create_transport(config)
    try:
        yield transport
    except BaseException:
        transport.close()
        raise
    pool.release(transport)


class ConnectionPool:
    """The idle connections of one process to one server, the most recently used at the end."""

    def __init__(self, idle: float = IDLE_SECONDS) -> None:
        self._idle = idle
        self._idle_transports: list[tuple[float, Transport]] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def acquire(self) -> Transport | None:
        """Remove and return the most recently used connection, or None."""
        with self._lock:
            return self._idle_transports.pop()[1] if self._idle_transports else None

    def release(self, transport: Transport) -> None:
        """Return a connection to the pool; one that cannot be reused is closed."""
        if not transport.is_reusable:
            transport.close()
            return
        with self._lock:
            self._idle_transports.append((time.monotonic(), transport))
            if self._timer is None:
                self._start_timer()

    def close(self, unused_since: float = float("inf")) -> None:
        """Close the connections that have been unused since a moment, or all of them."""
        with self._lock:
            old = [transport for used, transport in self._idle_transports if used <= unused_since]
            self._idle_transports = [idle for idle in self._idle_transports if idle[0] > unused_since]
        for transport in old:
            transport.close()

    def _start_timer(self) -> None:
        self._timer = threading.Timer(self._idle, self._close_idle)
        self._timer.daemon = True
        self._timer.start()

    def _close_idle(self) -> None:
        self.close(time.monotonic() - self._idle)
        with self._lock:
            self._timer = None
            if self._idle_transports:
                self._start_timer()


@cache
def _pool(_url: str, _own_name: str) -> ConnectionPool:
    pool = ConnectionPool()
    atexit.register(pool.close)
    return pool
