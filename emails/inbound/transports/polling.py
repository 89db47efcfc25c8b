"""Polls a Maildir and an IMAP mailbox at regular intervals."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from emails.inbound.transports import imap, maildir

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.config import Config

log = logging.getLogger(__name__)

MAILDIR_SECONDS = 1.0
IMAP_SECONDS = 20.0
"""Seconds between two polls; the mail of a slow game is not urgent."""


async def serve(engine: Engine, config: Config, stop: asyncio.Event) -> None:
    """Poll the configured sources until stopped."""
    polls: list[tuple[Callable[[], int], float]] = []
    if config.maildir_in:
        polls.append((partial(maildir.poll, engine, config, config.maildir_in), MAILDIR_SECONDS))
    if config.imap_url:
        polls.append((partial(imap.poll, engine, config, config.imap_url), IMAP_SECONDS))
    await asyncio.gather(*(_poll_loop(poll, pause, stop) for poll, pause in polls))


async def _poll_loop(poll: Callable[[], int], pause: float, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await asyncio.to_thread(poll)
        except Exception:
            log.exception("mail could not be fetched; it stays where it is")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
