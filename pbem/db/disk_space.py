"""Full disks: every process checks whether new data may be stored.

A process checks the disks of its own machine, the database's too if that is local, and reads from the database which
disks other processes found full. The disk of a remote database is noticed only when it is full, by its errors.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import Engine, event, make_url, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import Pulse
from pbem.db.session import session_scope
from pbem.disks import Disk, measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import ExceptionContext, Select

    from pbem.config import Config

log = logging.getLogger(__name__)

SECONDS = 2.0
"""Seconds between two checks."""
LASTS = timedelta(seconds=10)
"""How long a disk counts as full after the last report of it."""
ENOUGH = 1.1
"""A full disk stays full until this many times the minimum is free, so that it does not alternate."""
FULL = "full disk of "
"""Prefix of the heartbeats that report full disks; the owner of the disk follows."""
DATABASE = "the database"

_DISK_FULL = "53100"
"""SQLSTATE disk_full of PostgreSQL."""


@dataclass(slots=True)
class _Known:
    """What this process knows of the disks of one installation."""

    full: bool = False
    refused: float = float("-inf")
    folder: Path | None = None
    asked: bool = False
    lacking: set[int] = field(default_factory=set)


_known: dict[str, _Known] = {}


def is_full(config: Config) -> bool:
    """Return whether nothing new may be stored now; costs nothing."""
    known = _of(config)
    return known.full or _refused(known)


def look(engine: Engine, config: Config) -> None:
    """Check the disks, report full ones to the other processes, and read their reports."""
    known = _of(config)
    lacking = [(whose, disk) for whose, disk in disks(engine, config) if disk.lacks(config.floor, _times(known, disk))]
    known.lacking = {disk.device for _, disk in lacking}
    full = {whose for whose, _ in lacking} | ({DATABASE} if _refused(known) else set())
    try:
        with session_scope(engine) as session:
            now = datetime.now(UTC)
            for name in sorted(full):
                row = insert(Pulse).values(part=FULL + name, at=now)
                session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"at": now}))
            if session.scalar(said(now).where(Pulse.part == FULL + DATABASE)):
                full.add(DATABASE)
    except SQLAlchemyError as away:
        # Code that needs the database notices by itself that it is unavailable.
        log.debug("could not tell of the disks: %s", away)
    _settle(known, full=bool(full), why="; ".join(str(disk) for _, disk in lacking))


def keep_looking(engine: Engine, config: Config, seconds: float = SECONDS) -> Callable[[], None]:
    """Start a thread that checks the disks periodically; returns the function that stops it."""
    ended = threading.Event()

    def run() -> None:
        while True:
            try:
                look(engine, config)
            except Exception:
                log.exception("could not look whether there is room on the disks")
            if ended.wait(seconds):
                return

    threading.Thread(target=run, name="room", daemon=True).start()
    return ended.set


def disks(engine: Engine, config: Config) -> Iterator[tuple[str, Disk]]:
    """Yield each local disk that something is stored on, once, with its owner."""
    seen = set[int]()
    folders = [(DATABASE, _database(engine, _of(config))), (socket.gethostname(), config.data and Path(config.data))]
    if config.stays_here:
        folders.append((socket.gethostname(), Path(unquote(urlsplit(config.smtp_url).path))))
    for whose, folder in folders:
        disk = measured(folder) if folder else None
        if disk and disk.device not in seen:
            seen.add(disk.device)
            yield whose, disk


def said(now: datetime) -> Select[str]:
    """Select the disks that were recently reported full."""
    return select(Pulse.part).where(Pulse.part.startswith(FULL), Pulse.at > now - LASTS)


def is_refusal(fault: BaseException) -> bool:
    """Return whether the database failed because its disk is full."""
    return getattr(getattr(fault, "orig", fault), "sqlstate", None) == _DISK_FULL


def _of(config: Config) -> _Known:
    return _known.setdefault(config.database_url, _Known())


def _refused(known: _Known) -> bool:
    return time.monotonic() - known.refused < LASTS.total_seconds()


def _times(known: _Known, disk: Disk) -> float:
    return ENOUGH if disk.device in known.lacking else 1.0


def _settle(known: _Known, *, full: bool, why: str) -> None:
    if full and not known.full:
        log.error("a disk is full (%s): nothing new is taken until there is room", why or "so the database says")
    elif known.full and not full:
        log.warning("there is room on the disks again: everything is taken")
    known.full = full


def _database(engine: Engine, known: _Known) -> Path | None:
    """Return the database's folder if it is on this machine; asks the database only once."""
    if not known.asked:
        host = str(engine.url.query.get("host") or engine.url.host or "")
        if host and not host.startswith("/") and host not in {"localhost", "127.0.0.1", "::1"}:
            known.asked = True
            return None
        try:
            with engine.connect() as connection:
                known.folder = Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
            known.asked = True
        except SQLAlchemyError as fault:
            # Without the permission, asking again is useless; if the database is only unavailable, it is not.
            known.asked = "permission denied" in str(fault)
    return known.folder


@event.listens_for(Engine, "handle_error")
def _notice(context: ExceptionContext) -> None:
    """Record that the database reports a full disk."""
    if is_refusal(context.original_exception) and context.engine is not None:
        url = context.engine.url.render_as_string(hide_password=False)
        for one, known in _known.items():
            if make_url(one) == make_url(url):
                known.refused = time.monotonic()
