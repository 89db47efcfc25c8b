"""Bringing a database to the newest schema: `python -m pbem.db.upgrade`."""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy.exc import OperationalError

from pbem.config import ConfigError, database_url
from pbem.telemetry import logs
from pbem.telemetry.scrubbing import Scrubber

log = logging.getLogger(__name__)

TRIES = 100
PAUSE = 1.0
_NOT_AVAILABLE = "55P03"

MIGRATIONS = Path(__file__).parents[2] / "migrations"


def alembic_config(url: str) -> AlembicConfig:
    """Describe to Alembic where the migrations are and which database they are for."""
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Bring a database up to a revision; does nothing where it is there already.

    Where somebody has a table to themselves, it lets others through before it tries again: each migration is whole.
    """
    for left in reversed(range(TRIES)):
        try:
            command.upgrade(alembic_config(url), revision)
        except OperationalError as refused:
            if not left or getattr(refused.orig, "sqlstate", None) != _NOT_AVAILABLE:
                raise
            log.warning("a table is in use; the migration is tried again")
            time.sleep(PAUSE)
        else:
            return


def main() -> int:
    """Upgrade the database that DATABASE_URL names."""
    try:
        upgrade(database_url(os.environ))
    except ConfigError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 (the sentence is for whoever ran the command)
        return 2
    return 0


if __name__ == "__main__":
    logs.begin("release", Scrubber(), as_json=os.environ.get("PBEM_LOG") == "json")
    sys.exit(main())
