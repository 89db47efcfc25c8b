"""A gunicorn worker that reads requests and writes responses asynchronously in front of the threads that serve pages.

gunicorn manages the processes; in each of them waitress does the I/O. A thread gets a request once it is complete, and
is free again once it has made the response, however slowly the client sends or reads. Responses that last for minutes
have threads of their own.
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

from pbem.ops.up import long_responses
from pbem.ops.up.long_responses import LongResponses

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping

HEAD_TIMEOUT_SECONDS = 10
"""Seconds a client may take to send the head of a request."""
REQUEST_TIMEOUT_SECONDS = 60
"""Seconds a client may take to send a whole request."""
IDLE_TIMEOUT_SECONDS = 30
"""Seconds an idle connection is kept open."""
MAX_HEAD_BYTES = 32 * 1024
MAX_BODY_BYTES = 8 * 1024 * 1024
"""Maximum bytes of a request that is read at all; pages and mail have smaller limits of their own."""
MAX_CONNECTIONS = 2000
"""Maximum open connections of a process; more wait in the listener's queue."""
POLL_SECONDS = 1.0
MIN_BOOT_SECONDS = 5.0
"""Minimum seconds before a process that cannot start exits."""


@dataclass(slots=True)
class Stopwatch:
    """When each connection began its current, incomplete request."""

    started: dict[HTTPChannel, tuple[Any, float]] = field(default_factory=dict)

    def overdue(self, channels: Iterable[HTTPChannel], now: float) -> list[HTTPChannel]:
        """Return the connections whose request has taken too long to arrive."""
        previous, self.started = self.started, {}
        overdue = []
        for channel in channels:
            if (request := channel.request) is None:
                continue
            known, since = previous.get(channel, (None, now))
            self.started[channel] = request, since if known is request else now
            timeout = REQUEST_TIMEOUT_SECONDS if request.headers_finished else HEAD_TIMEOUT_SECONDS
            if now - self.started[channel][1] > timeout:
                overdue.append(channel)
        return overdue


class BufferingWorker(Worker):
    """A gunicorn process that serves pages in threads, which slow clients cannot block."""

    def init_process(self) -> None:
        """Initialise the process, and run it."""
        # The metrics show a full queue; a log line per queued request would be too much.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        try:
            super().init_process()
        except SystemExit:
            if not self.booted:
                # A setting is wrong by now; slow down, since the master starts the next process at once.
                time.sleep(MIN_BOOT_SECONDS)
            raise

    def run(self) -> None:
        """Serve until the process must stop, then finish the requests being served."""
        channels: dict[int, wasyncore.dispatcher] = {}
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        lasting = LongResponses(threads.set_thread_count, self.cfg.threads)
        create_server(
            long_responses.allow(cast("Any", self.wsgi), lasting),
            map=channels,
            _dispatcher=threads,
            sockets=[cast("Any", listener).sock for listener in self.sockets],
            ident=None,
            asyncore_use_poll=True,
            connection_limit=MAX_CONNECTIONS,
            channel_timeout=IDLE_TIMEOUT_SECONDS,
            cleanup_interval=5,
            max_request_header_size=MAX_HEAD_BYTES,
            max_request_body_size=MAX_BODY_BYTES,
            # The application decides which proxies to trust.
            clear_untrusted_proxy_headers=False,
        )
        stopwatch = Stopwatch()
        while self.alive and os.getppid() == self.ppid:
            self.notify()
            wasyncore.loop(timeout=POLL_SECONDS, use_poll=True, map=channels, count=1)
            for channel in stopwatch.overdue(_clients(channels), time.monotonic()):
                channel.will_close = True
        _stop_accepting(channels)
        lasting.end_all()
        until = time.monotonic() + self.cfg.graceful_timeout
        while any(_is_busy(channel) for channel in _clients(channels)) and time.monotonic() < until:
            self.notify()
            wasyncore.loop(timeout=POLL_SECONDS / 10, use_poll=True, map=channels, count=1)
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
