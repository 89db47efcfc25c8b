"""The SMTP server process: `python -m workers.smtp_server`."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import sys
from typing import TYPE_CHECKING

from emails.inbound.transports import polling, smtp
from pbem import telemetry
from pbem.config import load_or_exit
from pbem.db.disk_check import start_checking
from pbem.db.metric_store import start_flushing
from pbem.db.session import connect
from pbem.task_queue import bind

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

SWITCH_INTERVAL_SECONDS = 0.0005
"""Seconds that a thread runs while others wait: the event loop has short but frequent work."""

EXIT_PORT_BUSY = 1
"""Exit status if a port cannot be listened on: another process may still have it, so a restart is worth trying."""


def main() -> int:
    """Accept mail until SIGTERM, as the first of several processes if so configured."""
    config = load_or_exit()
    try:
        asyncio.run(smtp.check_ports(config))
    except smtp.ListenError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 (the sentence is for the operator)
        return EXIT_PORT_BUSY
    for _ in range(1, config.smtp_processes):
        # Daemons are terminated when this process exits.
        multiprocessing.Process(target=_run_process, args=(config,), daemon=True).start()
    return _run_process(config)


def _run_process(config: Config) -> int:
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    telemetry.configure("mail", config)
    bind(config, in_background=True)
    engine = connect(config.database_url)
    start_flushing(engine)
    start_checking(engine, config)
    with asyncio.Runner(loop_factory=create_event_loop) as runner:
        return runner.run(_run(engine, config))


def create_event_loop() -> asyncio.AbstractEventLoop:
    """Create the event loop for all connections: uvloop's if installed, since it makes each mail cheaper."""
    try:
        from uvloop import new_event_loop  # noqa: PLC0415 -- not available for every platform
    except ImportError:
        return asyncio.new_event_loop()
    return new_event_loop()


async def _run(engine: Engine, config: Config) -> int:
    """Run one of several listener processes: if one exits, all exit, and the supervisor restarts them."""
    running, stop, lost = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def lose(other: int) -> None:
        running.remove_reader(other)
        if not stop.is_set():
            log.error("another mail process has ended, so this one ends too")
            lost.set()
            stop.set()

    for sign in (signal.SIGTERM, signal.SIGINT):
        running.add_signal_handler(sign, stop.set)
    first = multiprocessing.parent_process()
    for other in [first] if first else multiprocessing.active_children():
        running.add_reader(other.sentinel, lose, other.sentinel)
    servers = [smtp.serve(engine, config, stop)]
    if not first:
        # Only one of the processes polls.
        servers.append(polling.serve(engine, config, stop))
    try:
        await asyncio.gather(*servers)
    except smtp.ListenError as wrong:
        # Another process has taken the port since it was checked.
        log.error("%s", wrong)  # noqa: TRY400 (the sentence is enough)
        return EXIT_PORT_BUSY
    return int(lost.is_set())


if __name__ == "__main__":
    sys.exit(main())
