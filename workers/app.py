"""The worker: `python -m workers.app --concurrency THREADS`.

`celery -A workers.app worker` would be the same with Celery's command line, which takes 10 MB.
"""

from __future__ import annotations

import argparse
import gc
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from celery.signals import setup_logging, worker_ready

from pbem import telemetry
from pbem.config import load_or_exit
from pbem.db.disk_check import start_checking
from pbem.db.metric_store import start_flushing
from pbem.db.session import connect, set_task_sender
from pbem.task_queue import make_celery_app, make_sender
from workers.local_tasks import LocalTaskSender
from workers.scheduler_thread import scheduling
from workers.tasks import register_tasks

if TYPE_CHECKING:
    from collections.abc import Sequence

config = load_or_exit()
telemetry.configure("worker", config)
app = make_celery_app(config)
engine = connect(config.database_url)
register_tasks(app, config, engine)
set_task_sender(LocalTaskSender(app, make_sender(app, config)))
start_flushing(engine)
start_checking(engine, config)


@setup_logging.connect(weak=False)
def skip_celery_logging(**_: object) -> None:
    """Keep Celery from configuring logging."""


@worker_ready.connect(weak=False)
def send_first_heartbeat(**_: object) -> None:
    """Report that the worker is alive at once, instead of at the next heartbeat."""
    app.send_task("heartbeat")


@worker_ready.connect(weak=False)
def freeze_imported_objects(**_: object) -> None:
    """Exempt from garbage collection what was imported: most objects of the process, none of which is ever garbage."""
    gc.collect()
    gc.freeze()


def main(arguments: Sequence[str]) -> int:
    """Run tasks until SIGTERM; returns the exit status."""
    options = argparse.ArgumentParser(prog="python -m workers.app")
    options.add_argument("--concurrency", type=int, default=4, metavar="THREADS", help="tasks at the same time")
    options.add_argument("--with-beat", metavar="FILE", help="enqueue recurring tasks too; FILE is the state of beat")
    given = options.parse_args(arguments)
    worker = app.Worker(
        pool="threads",
        concurrency=given.concurrency,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    with scheduling(app, given.with_beat) if given.with_beat else nullcontext():
        worker.start()
    return worker.exitcode or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
