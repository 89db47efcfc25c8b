"""What every view needs: the settings, the database, and the transaction of its request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import current_app

from pbem.play.table import open_table

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.play.table import Table

HERE = "pbem"


@dataclass(frozen=True, slots=True)
class Here:
    """One web process's settings and database."""

    config: Config
    engine: Engine


def here() -> Here:
    """Give what the running application was made with."""
    found: Here = current_app.extensions[HERE]
    return found


def table() -> AbstractContextManager[Table]:
    """Open the transaction of one use case; committed when the block ends."""
    return open_table(here().engine, here().config)
