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

from sqlalchemy import Engine, ExceptionContext, event, make_url, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import Heartbeat
from pbem.db.session import session_scope
from pbem.db.sqlstates import sqlstate
from pbem.disk_usage import Disk, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from pbem.config import Config

log = logging.getLogger(__name__)

CHECK_INTERVAL_SECONDS = 2.0
"""Seconds between two checks."""
FULL_DISK_TTL = timedelta(seconds=10)
"""How long a disk counts as full after the last report of it."""
RECOVERY_FACTOR = 1.1
"""A full disk stays full until this many times the minimum is free, so that it does not alternate."""
FULL_DISK_PREFIX = "full disk of "
"""Prefix of the heartbeats that report full disks; the owner of the disk follows."""
DATABASE_DISK = "the database"

_DISK_FULL_SQLSTATE = "53100"
"""SQLSTATE disk_full of PostgreSQL."""


@dataclass(slots=True)
class _DiskState:
    """What this process knows of the disks of one installation."""

    full: bool = False
    database_full_at: float = float("-inf")
    database_folder: Path | None = None
    is_folder_known: bool = False
    full_devices: set[int] = field(default_factory=set)


_states: dict[str, _DiskState] = {}


def is_full(config: Config) -> bool:
    """Return whether nothing new may be stored now; costs nothing."""
    state = _state(config)
    return state.full or _is_database_full(state)


def check(engine: Engine, config: Config) -> None:
    """Check the disks, report full ones to the other processes, and read their reports."""
    state = _state(config)
    disks = [
        (owner, disk)
        for owner, disk in local_disks(engine, config)
        if disk.is_below(config.min_free_disk, RECOVERY_FACTOR if disk.device in state.full_devices else 1.0)
    ]
    state.full_devices = {disk.device for _, disk in disks}
    full = {owner for owner, _ in disks} | ({DATABASE_DISK} if _is_database_full(state) else set())
    try:
        with session_scope(engine) as session:
            now = datetime.now(UTC)
            for owner in sorted(full):
                row = insert(Heartbeat).values(part=FULL_DISK_PREFIX + owner, seen_at=now)
                session.execute(row.on_conflict_do_update(index_elements=["part"], set_={"seen_at": now}))
            full |= {DATABASE_DISK}.intersection(full_disks(session, now))
    except SQLAlchemyError as error:
        # Code that needs the database notices by itself that it is unavailable.
        log.debug("could not report full disks: %s", error)
    if full and not state.full:
        why = "; ".join(str(disk) for _, disk in disks) or "so the database says"
        log.error("a disk is full (%s): nothing new is accepted until there is free space", why)
    elif state.full and not full:
        log.warning("the disks have free space again: everything is accepted")
    state.full = bool(full)


def start_checking(engine: Engine, config: Config, seconds: float = CHECK_INTERVAL_SECONDS) -> Callable[[], None]:
    """Start a thread that checks the disks periodically; returns the function that stops it."""
    ended = threading.Event()

    def run() -> None:
        while True:
            try:
                check(engine, config)
            except Exception:
                log.exception("could not check the disks")
            if ended.wait(seconds):
                return

    threading.Thread(target=run, name="disk check", daemon=True).start()
    return ended.set


def local_disks(engine: Engine, config: Config) -> Iterator[tuple[str, Disk]]:
    """Yield each local disk that something is stored on, once, with its owner."""
    seen = set[int]()
    folders = [
        (DATABASE_DISK, _database_folder(engine, _state(config))),
        (socket.gethostname(), config.data_folder and Path(config.data_folder)),
    ]
    if config.is_mail_local:
        folders.append((socket.gethostname(), Path(unquote(urlsplit(config.smtp_url).path))))
    for owner, folder in folders:
        disk = measure(folder) if folder else None
        if disk and disk.device not in seen:
            seen.add(disk.device)
            yield owner, disk


def full_disks(session: Session, now: datetime) -> list[str]:
    """Return the owners of the disks that were recently reported full."""
    reported = Heartbeat.part.startswith(FULL_DISK_PREFIX), Heartbeat.seen_at > now - FULL_DISK_TTL
    return [part.removeprefix(FULL_DISK_PREFIX) for part in session.scalars(select(Heartbeat.part).where(*reported))]


def note_full_database(config: Config) -> None:
    """Record that the database reports a full disk, by an error that was not SQLAlchemy's own."""
    _state(config).database_full_at = time.monotonic()


def is_disk_full_error(error: BaseException) -> bool:
    """Return whether the database failed because its disk is full."""
    return sqlstate(error) == _DISK_FULL_SQLSTATE


def _state(config: Config) -> _DiskState:
    return _states.setdefault(config.database_url, _DiskState())


def _is_database_full(state: _DiskState) -> bool:
    return time.monotonic() - state.database_full_at < FULL_DISK_TTL.total_seconds()


def _database_folder(engine: Engine, state: _DiskState) -> Path | None:
    """Return the database's folder if it is on this machine; queries the database only once."""
    if not state.is_folder_known:
        host = str(engine.url.query.get("host") or engine.url.host or "")
        if host and not host.startswith("/") and host not in {"localhost", "127.0.0.1", "::1"}:
            state.is_folder_known = True
            return None
        try:
            with engine.connect() as connection:
                state.database_folder = Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
            state.is_folder_known = True
        except SQLAlchemyError as error:
            # Without the permission, a retry is useless; if the database is only unavailable, it is not.
            state.is_folder_known = "permission denied" in str(error)
    return state.database_folder


@event.listens_for(Engine, "handle_error")
def _note_disk_full_error(context: ExceptionContext) -> None:
    """Record that the database reports a full disk."""
    if is_disk_full_error(context.original_exception) and context.engine is not None:
        url = context.engine.url.render_as_string(hide_password=False)
        for database_url, state in _states.items():
            if make_url(database_url) == make_url(url):
                state.database_full_at = time.monotonic()
