"""Check that the database answers, has the schema of this code, and stores commits durably."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from pbem.config import MIN_POSTGRES_VERSION
from pbem.db.connection import error_line
from pbem.db.upgrade import alembic_config
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from pbem.ops.doctor.check import CheckContext, Result

DURABILITY_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")
"""Settings of PostgreSQL that risk losing commits if they are off."""


def _check_database(ground: CheckContext) -> Iterator[Result]:
    began = time.monotonic()
    try:
        with ground.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            milliseconds = (time.monotonic() - began) * 1000
            version = _setting(connection, "server_version").split()[0]
            off = [name for name in DURABILITY_SETTINGS if _setting(connection, name) == "off"]
    except DBAPIError as fault:
        yield failed(f"The database does not answer: {error_line(fault)}", "Start PostgreSQL, or correct DATABASE_URL.")
        return
    yield passed(f"PostgreSQL {version} answers after {milliseconds:.0f} ms.")
    if int(version.partition(".")[0]) < MIN_POSTGRES_VERSION:
        yield failed(f"PostgreSQL {version} is too old.", f"Move to PostgreSQL {MIN_POSTGRES_VERSION} or newer.")
    if off:
        yield failed(
            f"A crash would lose moves that were confirmed: {', '.join(off)} is off.",
            "Set it to “on” in postgresql.conf, and reload.",
        )


def _check_migrations(ground: CheckContext) -> Iterator[Result]:
    script = ScriptDirectory.from_config(alembic_config(str(ground.engine.url)))
    head = script.get_current_head()
    with ground.engine.connect() as connection:
        at = MigrationContext.configure(connection).get_current_revision()
    if at == head:
        yield passed(f"The tables are those of this code ({head}).")
    elif at is None or at in {each.revision for each in script.walk_revisions()}:
        yield failed(
            f"The tables are at {at or 'nothing'}, this code wants {head}.",
            "Run `python -m pbem.db.upgrade` with the settings of the service; `pbem up` does so at its start.",
        )
    else:
        yield warned(
            f"The tables are at {at}, which this code does not know: something newer has been deployed.",
            "Finish the deploy, so that every process runs the newest code; after a way back to the version before, "
            "all is as it should be.",
        )


def _check_standby(ground: CheckContext) -> Iterator[Result]:
    with ground.engine.connect() as connection:
        wanted = _setting(connection, "synchronous_standby_names")
        # Without the privilege, rows of other sessions are visible, but their columns are NULL.
        standbys = connection.execute(text("SELECT sync_state FROM pg_stat_replication")).scalars().all()
    if "sync" in standbys or "quorum" in standbys:
        yield passed("A synchronous standby has everything that was confirmed.")
    elif wanted and None in standbys:
        yield warned(
            "The database names synchronous standbys, but does not show this user whether one follows.",
            "Let the service's user see them: GRANT pg_monitor TO its name.",
        )
    elif wanted:
        yield failed(
            f"No synchronous standby follows, though {wanted} is wanted: nothing can be confirmed until one does.",
            "Start the standby, or set synchronous_standby_names to '' until it is back.",
        )
    elif ground.config.replica_url:
        yield warned(
            "There is a copy of the database, but none that is waited for: a failover loses what it did not have yet.",
            "Name the copy in synchronous_standby_names, as docs/operate/scaling.md says.",
        )
    else:
        yield warned(
            "There is no synchronous standby: if this database's disk is lost, so is what came after its last backup.",
            "Where that matters, set up a standby and name it in synchronous_standby_names; else keep backups.",
        )


def _setting(connection: Connection, name: str) -> str:
    return str(connection.execute(text("SELECT current_setting(:name)"), {"name": name}).scalar_one())


CHECKS = (
    Check("database", _check_database),
    Check("migrations", _check_migrations, needs=("database",)),
    Check("standby", _check_standby, needs=("database",)),
)
