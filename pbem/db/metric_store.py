"""Adding up what every process has counted: a few rows, written every few seconds and read when somebody asks."""

from __future__ import annotations

import atexit
import logging
import threading
from typing import TYPE_CHECKING

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import Count
from pbem.db.session import session_scope
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

log = logging.getLogger(__name__)

SECONDS = 5.0
"""So often a process adds what it has counted; as much is lost where it is killed."""


def add(engine: Engine) -> None:
    """Add what this process has counted since the last time; where the database is away, the next time."""
    taken = metrics.take()
    if not taken:
        return
    # Always in the same order: two processes that add at once wait for each other, and not in a circle.
    rows = [{"name": name, "labels": list(labels), "value": value} for (name, labels), value in sorted(taken.items())]
    row = insert(Count).values(rows)
    more = row.on_conflict_do_update(
        index_elements=["name", "labels"], set_={"value": Count.value + row.excluded.value}
    )
    try:
        with session_scope(engine) as session:
            # No figure is worth waiting for the disk.
            session.execute(select(func.set_config("synchronous_commit", "off", True)))  # noqa: FBT003 -- its own word
            session.execute(more)
    except SQLAlchemyError as away:
        metrics.give_back(taken)
        log.warning("could not add up the figures; it is tried again: %s", type(away).__name__)


def keep_adding(engine: Engine, seconds: float = SECONDS) -> Callable[[], None]:
    """Add what this process counts, again and again and when it ends; gives what puts an end to that."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(seconds):
            add(engine)

    def end() -> None:
        ended.set()
        atexit.unregister(end)
        add(engine)

    threading.Thread(target=run, name="figures", daemon=True).start()
    atexit.register(end)
    return end
