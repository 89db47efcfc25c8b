"""Responses that last for minutes: each adds a thread to those of the process, and ends when the process must stop."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ENVIRON_KEY = "pbem.long_responses"
"""Key in a request's environment of the `LongResponses` of its process, if the server has any."""


class LongResponses:
    """The long responses of a process; `resize` sets its number of threads, of which `threads` are for all others."""

    def __init__(self, resize: Callable[[int], object], threads: int) -> None:
        self._resize, self._threads = resize, threads
        self._endings: dict[object, Callable[[], object]] = {}
        self._is_stopping = False
        self._lock = threading.Lock()

    def begin(self, end: Callable[[], object]) -> Callable[[], None]:
        """Add a response, which `end` makes finish soon; return what to call once it has finished."""
        mark = object()
        with self._lock:
            self._endings[mark] = end
            stopping = self._is_stopping
            self._adjust()
        if stopping:
            end()
        return partial(self._finish, mark)

    def end_all(self) -> None:
        """End all responses, and each that begins from now on."""
        with self._lock:
            self._is_stopping = True
            endings = [*self._endings.values()]
        for end in endings:
            end()

    def _finish(self, mark: object) -> None:
        with self._lock:
            if self._endings.pop(mark, None) is not None:
                self._adjust()

    def _adjust(self) -> None:
        # A server that stops ends its threads itself.
        if not self._is_stopping:
            self._resize(self._threads + len(self._endings))


def allow(application: WSGIApplication, lasting: LongResponses) -> WSGIApplication:
    """Wrap an application so that its requests can begin long responses."""

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[ENVIRON_KEY] = lasting
        return application(environ, start_response)

    return serve


def begin(environ: dict[str, Any], end: Callable[[], object]) -> Callable[[], None]:
    """Begin a long response to a request; a server that knows none, such as that of tests, needs no thread more."""
    lasting: LongResponses | None = environ.get(ENVIRON_KEY)
    return lasting.begin(end) if lasting else lambda: None
