"""How gunicorn runs the pages: it reads this module as its settings."""

import os
import sys

from gunicorn.config import Config
from gunicorn.glogging import Logger

from pbem.config import of_this_process
from pbem.ops.up import tether
from pbem.telemetry import logs
from pbem.telemetry.redaction import Scrubber


class Lines(Logger):
    """Has the master write its lines as all parts of the service do; each of its workers begins a log of its own."""

    def setup(self, cfg: Config) -> None:
        """Make the loggers."""
        super().setup(cfg)
        logs.begin("web", Scrubber(), as_json=os.environ.get("PBEM_LOG") == "json")


logger_class = Lines
worker_class = "pbem.ops.up.buffering.BufferingWorker"


def on_starting(_server: object) -> None:
    """End the master before it starts anybody where a setting is wrong: its workers would end again and again."""
    of_this_process()


def post_fork(_server: object, _worker: object) -> None:
    """End the worker with its master, without the second that it would take to miss it."""
    if sys.platform == "linux":
        tether.die_with_parent(tether.system_calls())
