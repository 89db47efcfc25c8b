"""Upgrades a database to the newest schema: `python -m pbem.db.upgrade`."""

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

from pbem.config import EXIT_CONFIG_ERROR, ConfigError, database_url
from pbem.db.connection import UnreachableError, error_line, wait_for_database
from pbem.db.sqlstates import sqlstate
from pbem.telemetry import logs
from pbem.telemetry.redaction import Redactor

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 100
RETRY_SECONDS = 1.0
_LOCK_NOT_AVAILABLE = "55P03"

MIGRATIONS_FOLDER = Path(__file__).parents[2] / "migrations"


def alembic_config(url: str) -> AlembicConfig:
    """Return Alembic's configuration for a database, with the location of the migrations."""
    config = AlembicConfig()
    config.set_main_option("script_location", str(MIGRATIONS_FOLDER))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade a database to a revision; does nothing if it is there already.

    If a table is locked, other sessions get a chance before the next attempt: each migration is atomic. Tables that a
    newer version has upgraded are left alone: older code works with them.
    """
    for left in reversed(range(MAX_ATTEMPTS)):
        try:
            command.upgrade(alembic_config(url), revision)
        except OperationalError as error:
            if not left or sqlstate(error) != _LOCK_NOT_AVAILABLE:
                raise
            log.warning("a table is in use; trying the migration again")
            time.sleep(RETRY_SECONDS)
        except CommandError:
            unknown = unknown_revision(url)
            if unknown is None:
                raise
            log.warning("the tables are at revision %s of a newer version, and are left unchanged", unknown)
            return
        else:
            return


def unknown_revision(url: str) -> str | None:
    """Return the revision of a database if this code does not know it, else None."""
    known = {each.revision for each in ScriptDirectory.from_config(alembic_config(url)).walk_revisions()}
    with create_engine(url, poolclass=pool.NullPool).connect() as connection:
        at = MigrationContext.configure(connection).get_current_heads()
    return next((revision for revision in at if revision not in known), None)


def main() -> int:
    """Upgrade the database of DATABASE_URL once it can be reached."""
    try:
        url = database_url(os.environ)
        wait_for_database(url)
        upgrade(url)
    except ConfigError as error:
        message, status = str(error), EXIT_CONFIG_ERROR
    except UnreachableError as error:
        message, status = str(error), error.status
    except DBAPIError as error:
        message, status = f"The tables could not be upgraded: {error_line(error)}.", 1
    else:
        return 0
    print(message, file=sys.stderr)  # noqa: T201 (output of the command)
    return status


if __name__ == "__main__":
    logs.configure("release", Redactor(), as_json=os.environ.get("PBEM_LOG") == "json")
    sys.exit(main())
