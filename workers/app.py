"""The Celery worker: `celery -A workers.app worker`."""

from __future__ import annotations

from celery.signals import setup_logging, worker_ready

from pbem import telemetry
from pbem.config import of_this_process
from pbem.db.disk_space import keep_looking
from pbem.db.metric_store import keep_adding
from pbem.db.session import bind_sender, connect
from pbem.task_queue import celery_app, sender
from workers.local_tasks import Errands
from workers.tasks import serve

config = of_this_process()
telemetry.begin("worker", config)
app = celery_app(config)
engine = connect(config.database_url)
serve(app, config, engine)
bind_sender(Errands(app, sender(app, config)))
keep_adding(engine)
keep_looking(engine, config)


@setup_logging.connect(weak=False)
def leave_logs_alone(**_: object) -> None:
    """Keep Celery from configuring logging."""


@worker_ready.connect(weak=False)
def show_life(**_: object) -> None:
    """Report that the worker is alive at once, instead of at the next pulse."""
    app.send_task("pulse")
