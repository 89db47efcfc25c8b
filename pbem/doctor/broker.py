"""The broker: it answers those who send tasks and those who take them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kombu.exceptions import OperationalError

from pbem.broker import celery_app
from pbem.doctor.check import Check, failed, passed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.doctor.check import Ground, Said

PATIENCE = 3


def _answers(ground: Ground) -> Iterator[Said]:
    began = time.monotonic()
    try:
        with celery_app(ground.config).connection_for_write() as line:
            line.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE)
            # Nothing is asked of the broker before a queue is looked at.
            line.SimpleQueue("doctor").close()
    except (OperationalError, OSError, ValueError, KeyError) as fault:
        todo = "Start Redis or Valkey, or correct REDIS_URL. Moves are taken meanwhile, and judged later."
        yield failed(f"The broker does not answer: {fault}", todo)
        return
    yield passed(f"It answers after {(time.monotonic() - began) * 1000:.0f} ms.")


CHECKS = (Check("broker", _answers),)
