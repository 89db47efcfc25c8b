"""The process that takes mail in: `python -m workers.mail`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

from emails.ways_in import polling, smtp
from pbem import telemetry
from pbem.broker import bind
from pbem.config import Config, ConfigError, from_environment
from pbem.db.counts import keep_adding
from pbem.db.room import keep_looking
from pbem.db.session import connect

if TYPE_CHECKING:
    from sqlalchemy import Engine


async def _run(engine: Engine, config: Config) -> None:
    stop = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    await asyncio.gather(smtp.serve(engine, config, stop), polling.serve(engine, config, stop))


def main() -> int:
    """Take mail until SIGTERM."""
    try:
        config = from_environment(os.environ)
    except ConfigError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 (the sentence is for whoever started it)
        return 2
    telemetry.begin("mail", config)
    bind(config, aside=True)
    engine = connect(config.database_url)
    keep_adding(engine)
    keep_looking(engine, config)
    asyncio.run(_run(engine, config))
    return 0


if __name__ == "__main__":
    sys.exit(main())
