"""Bringing a database to the newest schema: `python -m pbem.db.upgrade`."""

from __future__ import annotations

import logging
import os
import sys
import time
from pathlib import Path

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine, pool
from sqlalchemy.exc import DBAPIError, OperationalError

from pbem.config import ConfigError, database_url
from pbem.db.reach import UnreachableError, reach, said_of
from pbem.telemetry import logs
from pbem.telemetry.redaction import Scrubber

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
    Tables that a newer version has brought up to date are left as they are: older code works with them.
    """
    for left in reversed(range(TRIES)):
        try:
            command.upgrade(alembic_config(url), revision)
        except OperationalError as refused:
            if not left or getattr(refused.orig, "sqlstate", None) != _NOT_AVAILABLE:
                raise
            log.warning("a table is in use; the migration is tried again")
            time.sleep(PAUSE)
        except CommandError:
            unknown = newer(url)
            if unknown is None:
                raise
            log.warning("the tables are at %s, of a newer version than this code, and are left as they are", unknown)
            return
        else:
            return


def newer(url: str) -> str | None:
    """Return at which revision a database is that this code does not know; None where it knows it."""
    known = {each.revision for each in ScriptDirectory.from_config(alembic_config(url)).walk_revisions()}
    with create_engine(url, poolclass=pool.NullPool).connect() as connection:
        at = MigrationContext.configure(connection).get_current_heads()
    return next((revision for revision in at if revision not in known), None)


def main() -> int:
    """Upgrade the database that DATABASE_URL names, once it is there."""
    try:
        url = database_url(os.environ)
        reach(url)
        upgrade(url)
    except ConfigError as wrong:
        return _ended(str(wrong), 2)
    except UnreachableError as away:
        return _ended(str(away), away.status)
    except DBAPIError as fault:
        return _ended(f"The tables could not be brought up to date: {said_of(fault)}.", 1)
    return 0


def _ended(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)  # noqa: T201 (the sentence is for whoever ran the command)
    return status


if __name__ == "__main__":
    logs.begin("release", Scrubber(), as_json=os.environ.get("PBEM_LOG") == "json")
    sys.exit(main())
