"""Reads requests and writes answers asynchronously in front of the threads that serve pages.

gunicorn starts, watches and ends the processes; in each of them waitress reads. A thread gets a request once all of it
is there, and is free again once it has made the answer, however slowly its client sends or reads.
"""

from __future__ import annotations

import logging
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping

HEAD_SECONDS = 10
"""How long a client may take to send the head of a request."""
BODY_SECONDS = 60
"""How long a client may take to send a whole request."""
IDLE_SECONDS = 30
"""How long a connection is kept on which nothing is sent or read."""
LARGEST_HEAD = 32 * 1024
LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of the largest request that is read at all; pages and mail have smaller limits of their own."""
CONNECTIONS = 2000
"""How many connections a process holds open; more wait in the listener's queue."""
TICK = 1.0
LEAST_BOOT = 5.0
"""Seconds that a process which cannot start takes at the least."""


@dataclass(slots=True)
class Stopwatch:
    """When each connection began the request that it has sent a part of."""

    begun: dict[HTTPChannel, tuple[Any, float]] = field(default_factory=dict)

    def late(self, channels: Iterable[HTTPChannel], now: float) -> list[HTTPChannel]:
        """Return the connections whose request has taken too long to arrive."""
        partly = {channel: channel.request for channel in channels if channel.request is not None}
        begun = self.begun
        self.begun = {
            channel: begun[channel] if channel in begun and begun[channel][0] is request else (request, now)
            for channel, request in partly.items()
        }
        return [channel for channel, (request, since) in self.begun.items() if now - since > _allowed(request)]


class BufferingWorker(Worker):
    """A process of gunicorn that serves pages by threads which no slow client holds up."""

    def init_process(self) -> None:
        """Prepare the process, and run it."""
        # A full queue is seen in the figures of the pages; nobody needs a line for each request in it.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        try:
            super().init_process()
        except SystemExit:
            if not self.booted:
                # Settings that have become wrong meanwhile: the master starts the next one at once.
                time.sleep(LEAST_BOOT)
            raise

    def run(self) -> None:
        """Serve until the process is to end, and finish what is being served."""
        channels: dict[int, wasyncore.dispatcher] = {}
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        create_server(
            self.wsgi,
            map=channels,
            _dispatcher=threads,
            sockets=[cast("Any", listener).sock for listener in self.sockets],
            ident=None,
            asyncore_use_poll=True,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=5,
            max_request_header_size=LARGEST_HEAD,
            max_request_body_size=LARGEST_BODY,
            # Which proxies are believed is for the pages to decide.
            clear_untrusted_proxy_headers=False,
        )
        stopwatch = Stopwatch()
        while self.alive and os.getppid() == self.ppid:
            self.notify()
            wasyncore.loop(timeout=TICK, use_poll=True, map=channels, count=1)
            for channel in stopwatch.late(_clients(channels), time.monotonic()):
                channel.will_close = True
        _stop_accepting(channels)
        until = time.monotonic() + self.cfg.graceful_timeout
        while any(_is_busy(channel) for channel in _clients(channels)) and time.monotonic() < until:
            self.notify()
            wasyncore.loop(timeout=TICK / 10, use_poll=True, map=channels, count=1)
        threads.shutdown(timeout=1)
        wasyncore.close_all(channels)


def _clients(channels: MutableMapping[int, wasyncore.dispatcher]) -> list[HTTPChannel]:
    return [one for one in channels.values() if isinstance(one, HTTPChannel)]


def _is_busy(channel: HTTPChannel) -> bool:
    return bool(channel.requests or channel.total_outbufs_len)


def _stop_accepting(channels: MutableMapping[int, wasyncore.dispatcher]) -> None:
    for one in [*channels.values()]:
        if getattr(one, "accepting", False):
            one.del_channel(channels)
            one.socket.close()


def _allowed(request: Any) -> int:
    return BODY_SECONDS if request.headers_finished else HEAD_SECONDS
