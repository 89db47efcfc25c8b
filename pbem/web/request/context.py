"""Context of a request: settings, database and transaction."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import current_app, g

from pbem.play.core import context

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.db.replica import Replica
    from pbem.play.core.context import Context

EXTENSION = "pbem"
ENGINE = "source"
"""Key in `flask.g` of the engine that this request reads from, if it is not the usual one."""

_SHARED = "shared transaction"


@dataclass(frozen=True, slots=True)
class Service:
    """Settings and database of a web process, and the replica if there is one."""

    config: Config
    engine: Engine
    replica: Replica | None = None


def service() -> Service:
    """Return the service that the running application was created with."""
    found: Service = current_app.extensions[EXTENSION]
    return found


def is_https() -> bool:
    """Return whether browsers reach the service by HTTPS."""
    return urlsplit(service().config.base_url).scheme == "https"


def transaction() -> AbstractContextManager[Context]:
    """Open the transaction of one use case, which commits when the block ends; or continue the shared one."""
    shared: Context | None = g.get(_SHARED)
    if shared is not None:
        return nullcontext(shared)
    return context.transaction(g.get(ENGINE) or service().engine, service().config)


@contextmanager
def shared_transaction(ctx: Context) -> Iterator[None]:
    """Run a block whose use cases act in a transaction that is open; an error must end both."""
    setattr(g, _SHARED, ctx)
    try:
        yield
    finally:
        g.pop(_SHARED)
