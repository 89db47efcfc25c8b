"""Logs: one way to write lines in every process, with what each line is about, and without secrets."""

from __future__ import annotations

import json
import logging
import sys
import threading
import uuid
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from pbem.telemetry.redaction import Scrubber

log = logging.getLogger(__name__)

QUIET = ("mail.log", "alembic", "celery.worker.strategy", "celery.app.trace", "celery.beat", "opentelemetry", "urllib3")
"""Who tells of every step that is as it should be: only what is wrong with them is written."""
SHORT = 12
"""So many characters of a submission's name are written: enough to find it, and too few to ask for it."""

AS_IT_IS = {"as_it_is": True}
"""Marks a line, as its `extra`, that is written for the operator to use, and holds no secret of anybody's."""

_about: ContextVar[dict[str, object]] = ContextVar("about", default={})  # noqa: B039 -- it is never changed


@contextmanager
def about(**names: object) -> Iterator[None]:
    """Have every line of a block say what it is about, such as `request`, `submission`, `notice`; None adds nothing."""
    before = _about.set(_about.get() | {name: value for name, value in names.items() if value is not None})
    try:
        yield
    finally:
        _about.reset(before)


def topics() -> dict[str, object]:
    """Give what lines are about here and now."""
    return _about.get()


def fresh() -> str:
    """Name a request, a mail that comes in, or a task."""
    return uuid.uuid4().hex[:SHORT]


def short(name: str) -> str:
    """Give as much of a submission's name as anybody may read."""
    return name[:SHORT]


class Plain(logging.Formatter):
    """Writes a line for people: when, how grave, where, what, and about what."""

    def __init__(self, scrub: Scrubber, layout: str = "%(asctime)s %(levelname)s %(name)s: %(message)s") -> None:
        super().__init__(layout)
        self._scrub = scrub

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's own name)
        """Write the line itself; what somebody else has said cannot pass for lines of ours."""
        record.message = record.message.replace("\r", "").replace("\n", "\\n")
        return " ".join([super().formatMessage(record), *(f"{name}={value}" for name, value in topics().items())])

    def format(self, record: logging.LogRecord) -> str:
        """Write a record, its traceback below it."""
        line = super().format(record)
        return line if hasattr(record, "as_it_is") else self._scrub(line)


class Json(logging.Formatter):
    """Writes one line of JSON for programs, a traceback within it."""

    def __init__(self, scrub: Scrubber, part: str) -> None:
        super().__init__()
        self._scrub = scrub
        self._part = part

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": self._part,
            "where": record.name,
            "says": record.getMessage(),
            **topics(),
        }
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told if hasattr(record, "as_it_is") else self._scrub.everywhere(told), ensure_ascii=False)


class Counting(logging.Handler):
    """Counts what went wrong."""

    def __init__(self, part: str) -> None:
        super().__init__(logging.WARNING)
        self._part = part

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record by how grave it is and who tells it."""
        kind = metrics.ERRORS if record.levelno >= logging.ERROR else metrics.WARNINGS
        metrics.count(kind, self._part, record.name)


def begin(part: str, scrub: Scrubber, *, as_json: bool = False, to: logging.Handler | None = None) -> None:
    """Write this process's log, to its standard error unless told otherwise; other people's loggers follow."""
    handler = to or logging.StreamHandler()
    # The machine's own log tells the time and how grave it is.
    ours = Json(scrub, part) if as_json else Plain(scrub)
    handler.setFormatter(Plain(scrub, "%(name)s: %(message)s") if to else ours)
    root = logging.getLogger()
    root.handlers[:] = [handler, Counting(part)]
    root.setLevel(logging.INFO)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for known in list(logging.root.manager.loggerDict.values()):
        for theirs in known.handlers if isinstance(known, logging.Logger) else ():
            theirs.setFormatter(handler.formatter)
    logging.captureWarnings(capture=True)
    sys.excepthook = _ended
    threading.excepthook = _ended_thread


def _ended(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("this process is ended by a fault", exc_info=(kind, fault, trace))


def _ended_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
        log.critical("a thread is ended by a fault", exc_info=(told.exc_type, told.exc_value, told.exc_traceback))
