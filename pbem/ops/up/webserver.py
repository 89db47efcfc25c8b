"""gunicorn's configuration for the pages."""

import os
import sys

from gunicorn.config import Config
from gunicorn.glogging import Logger

from pbem.config import load_or_exit
from pbem.ops.up import parent_watchdog
from pbem.telemetry import logs
from pbem.telemetry.redaction import Redactor


class ServiceLogger(Logger):
    """Formats the master's log like those of all parts; each worker configures its own log."""

    def setup(self, cfg: Config) -> None:
        """Set up the loggers."""
        super().setup(cfg)
        logs.configure("web", Redactor(), as_json=os.environ.get("PBEM_LOG") == "json")


logger_class = ServiceLogger
worker_class = "pbem.ops.up.gunicorn_worker.BufferingWorker"


def on_starting(_server: object) -> None:
    """Exit the master if a setting is wrong, before its workers fail again and again."""
    load_or_exit()


def post_fork(_server: object, _worker: object) -> None:
    """End the worker with its master, without the second that gunicorn takes to notice."""
    if sys.platform == "linux":
        parent_watchdog.die_with_parent(parent_watchdog.load_libc())
