"""What every view needs: the settings, the database, and the transaction of its request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app, g

from pbem.play.core import context

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.db.replica import Replica
    from pbem.play.core.context import Context

EXTENSION = "pbem"
ENGINE = "source"
"""Where in the globals of a request the engine stands that it reads from, if that is another than usually."""


@dataclass(frozen=True, slots=True)
class Service:
    """One web process's settings and database, and the copy of that, if there is one."""

    config: Config
    engine: Engine
    replica: Replica | None = None


def service() -> Service:
    """Give what the running application was made with."""
    found: Service = current_app.extensions[EXTENSION]
    return found


def transaction() -> AbstractContextManager[Context]:
    """Open the transaction of one use case; committed when the block ends."""
    return context.transaction(g.get(ENGINE) or service().engine, service().config)
