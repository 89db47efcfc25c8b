"""Stores metrics of all processes in a few rows, updated every few seconds."""

from __future__ import annotations

import atexit
import logging
import threading
from typing import TYPE_CHECKING

from sqlalchemy import Engine, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import MetricValue
from pbem.db.session import session_scope
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

FLUSH_INTERVAL_SECONDS = 5.0
"""Seconds between two updates; as much is lost if a process is killed."""


def flush(engine: Engine) -> None:
    """Store what this process has counted since the last call, or keep it for the next call if that fails."""
    taken = metrics.drain()
    if not taken:
        return
    # Sorted, so that concurrent processes lock rows in the same order and cannot deadlock.
    rows = [{"name": name, "labels": list(labels), "value": value} for (name, labels), value in sorted(taken.items())]
    row = insert(MetricValue).values(rows)
    more = row.on_conflict_do_update(
        index_elements=["name", "labels"], set_={"value": MetricValue.value + row.excluded.value}
    )
    try:
        with session_scope(engine) as session:
            # Metrics are not worth an fsync.
            session.execute(select(func.set_config("synchronous_commit", "off", True)))  # noqa: FBT003 -- SQL function
            session.execute(more)
    except SQLAlchemyError as error:
        metrics.put_back(taken)
        log.warning("could not store metrics, trying again later: %s", type(error).__name__)


def start_flushing(engine: Engine, seconds: float = FLUSH_INTERVAL_SECONDS) -> Callable[[], None]:
    """Start a thread that stores metrics periodically, and once more at exit; returns the function that stops it."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(seconds):
            flush(engine)

    def end() -> None:
        ended.set()
        atexit.unregister(end)
        flush(engine)

    threading.Thread(target=run, name="metrics", daemon=True).start()
    atexit.register(end)
    return end
