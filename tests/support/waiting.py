"""Transactions that wait for each other, in an order that a test chooses."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pbem.play.core.context import Context
    from tests.support.house import House

    Act = Callable[[Context], object]

_SECONDS = 5.0
_WAITING = text(
    "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
)


def meanwhile(house: House, first: Act, other: Act, then: Act, at: datetime | None = None) -> None:
    """Run `first` and `then` in one transaction, and `other` in another one that begins between them.

    Raises the error of either, such as that of a deadlock. The second transaction has ended or waits as `then` begins.
    """

    def run() -> None:
        with house.transaction(at) as ctx:
            other(ctx)

    with ThreadPoolExecutor(1) as pool:
        with house.transaction(at) as ctx:
            first(ctx)
            running = pool.submit(run)
            end = time.monotonic() + _SECONDS
            while not (running.done() or house.all(_WAITING)[0]):
                assert time.monotonic() < end
                time.sleep(0.01)
            then(ctx)
        running.result()
