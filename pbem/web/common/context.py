"""What every view needs: the settings, the database, and the transaction of its request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app, g

from pbem.play.core.context import open_table

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.db.replica import Replica
    from pbem.play.core.context import Table

HERE = "pbem"
SOURCE = "source"
"""Where in the globals of a request the engine stands that it reads from, if that is another than usually."""


@dataclass(frozen=True, slots=True)
class Here:
    """One web process's settings and database, and the copy of that, if there is one."""

    config: Config
    engine: Engine
    replica: Replica | None = None


def here() -> Here:
    """Give what the running application was made with."""
    found: Here = current_app.extensions[HERE]
    return found


def table() -> AbstractContextManager[Table]:
    """Open the transaction of one use case; committed when the block ends."""
    return open_table(g.get(SOURCE) or here().engine, here().config)
