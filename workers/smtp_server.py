"""The process that takes mail in: `python -m workers.smtp_server`."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import sys
from typing import TYPE_CHECKING

from emails.inbound.transports import polling, smtp
from pbem import telemetry
from pbem.config import of_this_process
from pbem.db.disk_space import keep_looking
from pbem.db.metric_store import keep_adding
from pbem.db.session import connect
from pbem.task_queue import bind

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

TURN = 0.0005
"""Seconds that a thread works at a time while others wait: the loop has little to do at once, and often."""

BUSY = 1
"""How it ends where it cannot listen: another process may have the port still, so it is to be started again."""


def main() -> int:
    """Take mail until SIGTERM; where there are to be several doors, as the first of them."""
    config = of_this_process()
    try:
        asyncio.run(smtp.look(config))
    except smtp.DoorError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 (the sentence is for whoever started it)
        return BUSY
    for _ in range(1, config.doors):
        # Daemons are asked to stop when this process does.
        multiprocessing.Process(target=_take, args=(config,), daemon=True).start()
    return _take(config)


def _take(config: Config) -> int:
    sys.setswitchinterval(TURN)
    telemetry.begin("mail", config)
    bind(config, aside=True)
    engine = connect(config.database_url)
    keep_adding(engine)
    keep_looking(engine, config)
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(_run(engine, config))


def loop() -> asyncio.AbstractEventLoop:
    """Make the loop that all connections are served by: uvloop's where it is installed, since it costs a mail less."""
    try:
        from uvloop import new_event_loop  # noqa: PLC0415 -- not every machine can have it
    except ImportError:
        return asyncio.new_event_loop()
    return new_event_loop()


async def _run(engine: Engine, config: Config) -> int:
    """Take mail as one door of several: where one ends all do, and whoever started them starts them again."""
    running, stop, lost = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def lose(other: int) -> None:
        running.remove_reader(other)
        if not stop.is_set():
            log.error("another door has ended, and this one with it")
            lost.set()
            stop.set()

    for sign in (signal.SIGTERM, signal.SIGINT):
        running.add_signal_handler(sign, stop.set)
    first = multiprocessing.parent_process()
    for other in [first] if first else multiprocessing.active_children():
        running.add_reader(other.sentinel, lose, other.sentinel)
    ways = [smtp.serve(engine, config, stop)]
    if not first:
        # What lies elsewhere is fetched by one of them.
        ways.append(polling.serve(engine, config, stop))
    try:
        await asyncio.gather(*ways)
    except smtp.DoorError as wrong:
        # Somebody has taken it since it was looked at.
        log.error("%s", wrong)  # noqa: TRY400 (the sentence says it all)
        return BUSY
    return int(lost.is_set())


if __name__ == "__main__":
    sys.exit(main())
