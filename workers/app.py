"""The worker: `celery -A workers.app worker`."""

from __future__ import annotations

import logging
import os
import sys

from celery.signals import worker_ready

from pbem.broker import bind
from pbem.config import ConfigError, from_environment
from workers.service import serve

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")

try:
    config = from_environment(os.environ)
except ConfigError as wrong:
    sys.exit(str(wrong))

app = bind(config)
serve(app, config)


@worker_ready.connect(weak=False)
def show_life(**_: object) -> None:
    """Tell at once that the worker is there, instead of at the next pulse."""
    app.send_task("pulse")
