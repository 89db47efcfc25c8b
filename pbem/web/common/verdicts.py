"""A short wait for the verdict on a submission."""

from __future__ import annotations

import time

from pbem.play.submissions import queue
from pbem.web.request.context import transaction

MAX_WAIT_SECONDS = 1.5
"""Maximum seconds to wait for a verdict before the page asks for patience."""
POLL_SECONDS = 0.05


def wait_for(submission: str) -> None:
    """Wait a moment for a verdict, without an open transaction."""
    until = time.monotonic() + MAX_WAIT_SECONDS
    while time.monotonic() < until:
        with transaction() as ctx:
            found = queue.find_status(ctx, submission)
        if found is None or found.status != "pending" or found.reason:
            return
        time.sleep(POLL_SECONDS)
