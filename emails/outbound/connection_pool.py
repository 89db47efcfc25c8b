"""Lines to where mail goes, kept open for a while for the next mails: opening one costs more than a mail."""

from __future__ import annotations

import atexit
import threading
import time
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from emails.outbound.transport import way_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from emails.outbound.transport import Way
    from pbem.config import Config

IDLE = 5.0
"""So many seconds a line is kept that nobody uses: less than any server waits before it hangs up."""


@contextmanager
def kept_way(config: Config) -> Iterator[Way]:
    """Give a way out that no other thread uses, as it was left by who used it last; it must be opened."""
    lines = _lines(config.smtp_url, config.mail_domain)
    way = lines.take() or way_out(config)
    try:
        yield way
    except BaseException:
        way.close()
        raise
    lines.keep(way)


class Lines:
    """What is open and not in use of one process's lines to one place, the last used at the end."""

    def __init__(self, idle: float = IDLE) -> None:
        self._idle = idle
        self._kept: list[tuple[float, Way]] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def take(self) -> Way | None:
        """Take the one that was used last, if there is any."""
        with self._lock:
            return self._kept.pop()[1] if self._kept else None

    def keep(self, way: Way) -> None:
        """Keep a line for whoever needs one next; what is not worth it is let go of."""
        if not way.stays:
            way.close()
            return
        with self._lock:
            self._kept.append((time.monotonic(), way))
            if self._timer is None:
                self._watch()

    def close(self, unused_since: float = float("inf")) -> None:
        """Let go of what nobody has used since a moment, or of all."""
        with self._lock:
            old = [way for used, way in self._kept if used <= unused_since]
            self._kept = [(used, way) for used, way in self._kept if used > unused_since]
        for way in old:
            way.close()

    def _watch(self) -> None:
        self._timer = threading.Timer(self._idle, self._look)
        self._timer.daemon = True
        self._timer.start()

    def _look(self) -> None:
        self.close(time.monotonic() - self._idle)
        with self._lock:
            self._timer = None
            if self._kept:
                self._watch()


@cache
def _lines(_url: str, _own_name: str) -> Lines:
    lines = Lines()
    atexit.register(lines.close)
    return lines
