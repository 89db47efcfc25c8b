"""Waiting a moment for what comes of a move that was sent."""

from __future__ import annotations

import time

from pbem.play.submissions import queue
from pbem.web.common.context import transaction

PATIENCE = 1.5
"""Seconds that whoever has sent a move waits for its verdict at the most, before the page says to wait."""
PAUSE = 0.05


def wait_for(submission: str) -> None:
    """Wait a moment for a verdict, without holding a transaction open."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with transaction() as ctx:
            found = queue.verdict_of(ctx, submission)
        if found is None or found.status != "pending" or found.reason:
            return
        time.sleep(PAUSE)
