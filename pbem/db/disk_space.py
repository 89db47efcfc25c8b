"""Room: whether there is enough of it on the disks that something is kept on, as every process finds out for itself.

A process looks at the disks of its own machine, the database's too where that is on it, and hears from the database
what others have found. A database elsewhere tells nothing of its disk until it is full, which its errors then say.
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
"""So often a process looks."""
LASTS = timedelta(seconds=10)
"""A disk that was full so long ago, and of which nobody has said so since, is full no more."""
ENOUGH = 1.1
"""A disk that was full is so until there is a tenth more room than must be, lest it be full and not full in turns."""
FULL = "full disk of "
"""What the pulses of full disks begin with; behind it stands whose disk."""
DATABASE = "the database"

_DISK_FULL = "53100"
"""How PostgreSQL says that its disk is full."""


@dataclass(slots=True)
class _Known:
    """What this process knows of one installation's disks."""

    full: bool = False
    refused: float = float("-inf")
    folder: Path | None = None
    asked: bool = False
    lacking: set[int] = field(default_factory=set)


_known: dict[str, _Known] = {}


def is_full(config: Config) -> bool:
    """Tell whether nothing new is to be kept now; costs nothing."""
    known = _of(config)
    return known.full or _refused(known)


def look(engine: Engine, config: Config) -> None:
    """Look at the disks, tell the others of full ones, and hear of theirs."""
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
        # Whoever needs the database finds out for themselves that it is away.
        log.debug("could not tell of the disks: %s", away)
    _settle(known, full=bool(full), why="; ".join(str(disk) for _, disk in lacking))


def keep_looking(engine: Engine, config: Config, seconds: float = SECONDS) -> Callable[[], None]:
    """Look again and again; gives what puts an end to that."""
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
    """Give the disks of this machine that something is kept on, each once, and whose they are."""
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
    """Ask whose disks are full, as somebody has said not long ago."""
    return select(Pulse.part).where(Pulse.part.startswith(FULL), Pulse.at > now - LASTS)


def is_refusal(fault: BaseException) -> bool:
    """Tell whether it is for want of room that the database did not do something."""
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
    """Find the database's folder where it is on this machine, which is asked once."""
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
            # Not everybody may ask; that it is away now says nothing.
            known.asked = "permission denied" in str(fault)
    return known.folder


@event.listens_for(Engine, "handle_error")
def _notice(context: ExceptionContext) -> None:
    """Note wherever the database says that its disk is full."""
    if is_refusal(context.original_exception) and context.engine is not None:
        url = context.engine.url.render_as_string(hide_password=False)
        for one, known in _known.items():
            if make_url(one) == make_url(url):
                known.refused = time.monotonic()
