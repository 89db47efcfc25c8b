"""Context of a use case: the open transaction, the settings, the time and the source of randomness."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from pbem.db.session import session_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from pbem.config import Config


def random_bytes(size: int) -> bytes:
    """Return random bytes from the system; tests draw them from a seed instead."""
    return secrets.token_bytes(size)


def system_time() -> datetime:
    """Return the current time. The simulation replaces this with a fake clock."""
    return datetime.now(UTC)


_UNBOUND = Session()


@dataclass(frozen=True, slots=True)
class Context:
    """Context of one use case: `now` is when it happens, `draw` returns random bytes.

    `loaded` has the state of each match that was loaded, by its ID (`match_state.load_match`).
    """

    session: Session
    config: Config
    now: datetime
    draw: Callable[[int], bytes] = random_bytes
    loaded: dict[str, Any] = field(default_factory=dict)


@contextmanager
def transaction(
    engine: Engine, config: Config, now: datetime | None = None, draw: Callable[[int], bytes] = random_bytes
) -> Iterator[Context]:
    """Open a transaction for one use case; commit it at the end of the block, or roll it back if the block raises."""
    with session_scope(engine) as session:
        yield Context(session, config, now or system_time(), draw)


def without_session(config: Config) -> Context:
    """Return a context for statements by another connection: its session has no database, and raises if used."""
    return Context(_UNBOUND, config, system_time())


def from_session(session: Session, config: Config) -> Context:
    """Return a context for a session that stays open for several transactions."""
    return Context(session, config, system_time())


def refreshed(ctx: Context) -> Context:
    """Return the context with the current time, for work that goes on for a while."""
    return replace(ctx, now=system_time())


@contextmanager
def read_only(engine: Engine, config: Config) -> Iterator[Context]:
    """Open a session in autocommit mode for a single read: half the round trips of a transaction."""
    with Session(without_transactions(engine)) as session:
        yield Context(session, config, system_time())


@lru_cache(maxsize=8)
def without_transactions(engine: Engine) -> Engine:
    """Return an engine with the same connections that commits each statement by itself."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def timestamp(moment: datetime) -> str:
    """Format a moment as logs and records do: UTC with milliseconds and Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_milliseconds(moment: datetime) -> datetime:
    """Truncate a moment to the milliseconds that a log stores."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
