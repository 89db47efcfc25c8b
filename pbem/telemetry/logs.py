"""Logging: the same format in every process, with the subject of each line, and without secrets."""

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

    from pbem.telemetry.redaction import Redactor

log = logging.getLogger(__name__)

QUIET_LOGGERS = (
    "mail.log",
    "alembic",
    "celery.worker.strategy",
    "celery.app.trace",
    "celery.beat",
    "opentelemetry",
    "urllib3",
)
"""Loggers that report every routine step: only their warnings are written."""
SHORT_ID_LENGTH = 12
"""Characters of an identifier that are logged: enough to find a submission, too few to request it."""

UNREDACTED = {"as_it_is": True}
"""`extra` of a log line that is written unredacted: it is meant for the operator and holds nobody's secret."""

_fields: ContextVar[dict[str, object]] = ContextVar("log fields", default={})  # noqa: B039 -- never mutated


@contextmanager
def bound_fields(**names: object) -> Iterator[None]:
    """Add fields such as `request`, `submission` or `notice` to every log line of a block; None adds nothing."""
    before = _fields.set(_fields.get() | {name: value for name, value in names.items() if value is not None})
    try:
        yield
    finally:
        _fields.reset(before)


def current_fields() -> dict[str, object]:
    """Return the current fields of log lines."""
    return _fields.get()


def new_id() -> str:
    """Return a new identifier for a request, an incoming mail or a task."""
    return uuid.uuid4().hex[:SHORT_ID_LENGTH]


def shorten_id(name: str) -> str:
    """Return the part of a submission's identifier that may be logged."""
    return name[:SHORT_ID_LENGTH]


class PlainFormatter(logging.Formatter):
    """Formats records for people: time, level, logger, message, fields."""

    def __init__(self, redact: Redactor, layout: str = "%(asctime)s %(levelname)s %(name)s: %(message)s") -> None:
        super().__init__(layout)
        self._redact = redact

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's own name)
        """Format the line without its traceback; line breaks are escaped, so that no message can forge a log line."""
        record.message = record.message.replace("\r", "").replace("\n", "\\n")
        return " ".join(
            [super().formatMessage(record), *(f"{name}={value}" for name, value in current_fields().items())]
        )

    def format(self, record: logging.LogRecord) -> str:
        """Format a record, with its traceback below."""
        line = super().format(record)
        return line if hasattr(record, "as_it_is") else self._redact(line)


class JsonFormatter(logging.Formatter):
    """Formats each record as one line of JSON, including the traceback."""

    def __init__(self, redact: Redactor, part: str) -> None:
        super().__init__()
        self._redact = redact
        self._part = part

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "part": self._part,
            "where": record.name,
            "says": record.getMessage(),
            **current_fields(),
        }
        if record.exc_info:
            fields["fault"] = self.formatException(record.exc_info)
        return json.dumps(
            fields if hasattr(record, "as_it_is") else self._redact.redact_data(fields), ensure_ascii=False
        )


class CountingHandler(logging.Handler):
    """Counts warnings and errors."""

    def __init__(self, part: str) -> None:
        super().__init__(logging.WARNING)
        self._part = part

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record by its level and logger."""
        kind = metrics.ERRORS if record.levelno >= logging.ERROR else metrics.WARNINGS
        metrics.count(kind, self._part, record.name)


def configure(part: str, redact: Redactor, *, as_json: bool = False, to: logging.Handler | None = None) -> None:
    """Configure logging of this process, to standard error by default; handlers of libraries get the same format."""
    handler = to or logging.StreamHandler()
    # A system log adds time and level itself.
    ours = JsonFormatter(redact, part) if as_json else PlainFormatter(redact)
    handler.setFormatter(PlainFormatter(redact, "%(name)s: %(message)s") if to else ours)
    root = logging.getLogger()
    root.handlers[:] = [handler, CountingHandler(part)]
    root.setLevel(logging.INFO)
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
    for known in list(logging.root.manager.loggerDict.values()):
        for theirs in known.handlers if isinstance(known, logging.Logger) else ():
            theirs.setFormatter(handler.formatter)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        log.critical("this process is ended by a fault", exc_info=(kind, error, trace))


def _log_uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        log.critical("a thread is ended by a fault", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))
