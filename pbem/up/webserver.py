"""Tie gunicorn's worker to its master: gunicorn reads this module as its settings."""

import sys

from pbem.up import tether


def post_fork(_server: object, _worker: object) -> None:
    """End the worker with its master, without the second that it would take to miss it."""
    if sys.platform == "linux":
        tether.die_with_parent(tether.system_calls())
