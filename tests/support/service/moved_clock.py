"""The running service at another time, which a test moves on."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine, NullPool, create_engine, select, update

from pbem import config, task_queue
from pbem.db.models import Heartbeat
from tests.support.live_service import LiveService, service
from tests.support.places import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

INJECT = Path(__file__).parent / "moved_clock_inject"


@dataclass(frozen=True, slots=True)
class MovedService:
    """A service that runs at another time."""

    running: LiveService
    engine: Engine
    tasks: Celery
    clock: Path
    """The seconds by which its time is moved."""

    def move_to(self, moment: datetime) -> None:
        """Move the time on, as if the service had been awake all the while, and wake it up for what is due."""
        with self.engine.begin() as connection:
            # The worker takes the same lock before it compares the time with its heartbeat.
            connection.execute(select(Heartbeat.seen_at).with_for_update())
            connection.execute(update(Heartbeat).values(seen_at=moment))
            _set_clock(self.clock, moment)
        self.wake()

    def wake(self) -> None:
        """Send the tasks that the scheduler sends each minute and every few seconds."""
        for task in ("run_events", "claim_deadlines", "sweep"):
            self.tasks.send_task(task, ignore_result=True)


@contextmanager
def service_at(data: Path, moment: datetime, **more: str) -> Iterator[MovedService]:
    """Run a service in a folder, whose time begins at a moment."""
    clock = data.with_suffix(".clock")
    _set_clock(clock, moment)
    path = os.pathsep.join(map(str, (INJECT, ROOT, ROOT / "tests" / "packages")))
    with service(data, MOVED_CLOCK=str(clock), PYTHONPATH=path, PBEM_LIMITS="off", **more) as running:
        ours = config.from_environment(running.settings())
        engine = create_engine(ours.database_url, poolclass=NullPool)
        yield MovedService(running, engine, task_queue.make_celery_app(ours), clock)


def _set_clock(clock: Path, moment: datetime) -> None:
    fresh = clock.with_suffix(".fresh")
    fresh.write_text(str((moment - datetime.now(UTC)).total_seconds()))
    fresh.replace(clock)
