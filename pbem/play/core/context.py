"""What every use case is given: the open transaction, the settings, the time, and where randomness comes from."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from pbem.db.session import transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from pbem.config import Config


def chance(size: int) -> bytes:
    """Give random bytes as the system draws them; tests have them drawn from a seed instead."""
    return secrets.token_bytes(size)


def present() -> datetime:
    """Give the time as the system tells it; whoever lives through years in minutes puts another clock in its place."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Table:
    """One use case at work: `now` is when it happens, `draw` gives random bytes."""

    session: Session
    config: Config
    now: datetime
    draw: Callable[[int], bytes] = chance


@contextmanager
def open_table(
    engine: Engine, config: Config, now: datetime | None = None, draw: Callable[[int], bytes] = chance
) -> Iterator[Table]:
    """Open a transaction for one use case; committed at the end of the block, undone where it raises."""
    with transaction(engine) as session:
        yield Table(session, config, now or present(), draw)


def table_over(session: Session, config: Config) -> Table:
    """Give the table of a session that somebody keeps open for several things, each kept by itself."""
    return Table(session, config, present())


def later(table: Table) -> Table:
    """Give the same table as it is now, for those that work on one for a while."""
    return replace(table, now=present())


@contextmanager
def glance(engine: Engine, config: Config) -> Iterator[Table]:
    """Open the database to look one thing up, without a transaction: half the way to and fro."""
    with Session(_without_transactions(engine)) as session:
        yield Table(session, config, present())


@lru_cache(maxsize=8)
def _without_transactions(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def stamp(moment: datetime) -> str:
    """Write a moment as logs and records do: UTC with milliseconds and Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_milliseconds(moment: datetime) -> datetime:
    """Cut a moment to the milliseconds that a log keeps."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
