"""The scheduler of recurring tasks: `celery -A workers.beat beat`; it runs no tasks itself, and stays small.

`python -m workers.beat SCHEDULE` is the same without Celery's command line, which takes 10 MB.
"""

from __future__ import annotations

import logging
import sys

from celery.signals import setup_logging

from pbem import telemetry
from pbem.config import load_or_exit
from pbem.task_queue import BEAT_SCHEDULE, make_celery_app

config = load_or_exit()
telemetry.configure("beat", config)
app = make_celery_app(config)


@setup_logging.connect(weak=False)
def skip_celery_logging(**_: object) -> None:
    """Keep Celery from configuring logging."""


if __name__ == "__main__":
    # It listens on no port, so only its log shows that it has started.
    logging.getLogger(__name__).info("naming %d recurring tasks", len(BEAT_SCHEDULE))
    app.Beat(schedule=sys.argv[1], loglevel="INFO", quiet=True).run()
