"""What every use case is given: the open transaction, the settings, the time, and where randomness comes from."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from sqlalchemy.orm import Session

from pbem.db.session import session_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from pbem.config import Config


def random_bytes(size: int) -> bytes:
    """Give random bytes as the system draws them; tests have them drawn from a seed instead."""
    return secrets.token_bytes(size)


def system_time() -> datetime:
    """Give the time as the system tells it; whoever lives through years in minutes puts another clock in its place."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Context:
    """One use case at work: `now` is when it happens, `draw` gives random bytes."""

    session: Session
    config: Config
    now: datetime
    draw: Callable[[int], bytes] = random_bytes


@contextmanager
def transaction(
    engine: Engine, config: Config, now: datetime | None = None, draw: Callable[[int], bytes] = random_bytes
) -> Iterator[Context]:
    """Open a transaction for one use case; committed at the end of the block, undone where it raises."""
    with session_scope(engine) as session:
        yield Context(session, config, now or system_time(), draw)


def from_session(session: Session, config: Config) -> Context:
    """Give the table of a session that somebody keeps open for several things, each kept by itself."""
    return Context(session, config, system_time())


def refreshed(ctx: Context) -> Context:
    """Give the same table as it is now, for those that work on one for a while."""
    return replace(ctx, now=system_time())


@contextmanager
def read_only(engine: Engine, config: Config) -> Iterator[Context]:
    """Open the database to look one thing up, without a transaction: half the way to and fro."""
    with Session(_without_transactions(engine)) as session:
        yield Context(session, config, system_time())


@lru_cache(maxsize=8)
def _without_transactions(engine: Engine) -> Engine:
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def timestamp(moment: datetime) -> str:
    """Write a moment as logs and records do: UTC with milliseconds and Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_milliseconds(moment: datetime) -> datetime:
    """Cut a moment to the milliseconds that a log keeps."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
