"""Check that the database answers, has the schema of this code, and stores commits durably."""

from __future__ import annotations

import time

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from pbem.config import MIN_POSTGRES_VERSION
from pbem.db.connection import error_line
from pbem.db.upgrade import alembic_config
from pbem.ops.doctor.check import Check, CheckContext, Results, failed, passed, warned

DURABILITY_SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")
"""Settings of PostgreSQL that risk losing commits if they are off."""


def _check_database(context: CheckContext) -> Results:
    began = time.monotonic()
    try:
        with context.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            milliseconds = (time.monotonic() - began) * 1000
            version = _setting(connection, "server_version").split()[0]
            off = [name for name in DURABILITY_SETTINGS if _setting(connection, name) == "off"]
    except DBAPIError as fault:
        yield failed(f"The database does not answer: {error_line(fault)}", "Start PostgreSQL, or correct DATABASE_URL.")
        return
    yield passed(f"PostgreSQL {version} answered in {milliseconds:.0f} ms.")
    if int(version.partition(".")[0]) < MIN_POSTGRES_VERSION:
        yield failed(f"PostgreSQL {version} is too old.", f"Upgrade to PostgreSQL {MIN_POSTGRES_VERSION} or newer.")
    if off:
        yield failed(
            f"A crash could lose confirmed moves, because this is off: {', '.join(off)}.",
            "Set it to “on” in postgresql.conf, and reload.",
        )


def _check_migrations(context: CheckContext) -> Results:
    script = ScriptDirectory.from_config(alembic_config(str(context.engine.url)))
    head = script.get_current_head()
    with context.engine.connect() as connection:
        at = MigrationContext.configure(connection).get_current_revision()
    if at == head:
        yield passed(f"The tables match this version ({head}).")
    elif at is None or at in {each.revision for each in script.walk_revisions()}:
        yield failed(
            f"The tables are at revision {at or 'none'}, but this version needs {head}.",
            "Run `python -m pbem.db.upgrade` with the service's settings; `pbem up` does so when it starts.",
        )
    else:
        yield warned(
            f"The tables are at revision {at}, which this version does not know: a newer one has been deployed.",
            "Finish the deploy, so that every process runs the newest version. After a rollback, this is expected.",
        )


def _check_standby(context: CheckContext) -> Results:
    with context.engine.connect() as connection:
        wanted = _setting(connection, "synchronous_standby_names")
        # Without the privilege, rows of other sessions are visible, but their columns are NULL.
        standbys = connection.execute(text("SELECT sync_state FROM pg_stat_replication")).scalars().all()
    if "sync" in standbys or "quorum" in standbys:
        yield passed("A synchronous standby has all confirmed moves.")
    elif wanted and None in standbys:
        yield warned(
            "Synchronous standbys are set up, but the service's database user cannot see whether one follows.",
            "Allow it: GRANT pg_monitor TO its name.",
        )
    elif wanted:
        yield failed(
            f"No synchronous standby follows, though {wanted} is required: no move can be confirmed until one does.",
            "Start the standby, or set synchronous_standby_names to '' until it is back.",
        )
    elif context.config.replica_url:
        yield warned(
            "There is a replica of the database, but it is not synchronous: a failover loses what it has not received.",
            "Name it in synchronous_standby_names: see docs/operate/scaling.md.",
        )
    else:
        yield warned(
            "There is no synchronous standby: if the database's disk fails, everything since the last backup is lost.",
            "If that matters, set up a standby and name it in synchronous_standby_names. Otherwise keep backups.",
        )


def _setting(connection: Connection, name: str) -> str:
    return str(connection.execute(text("SELECT current_setting(:name)"), {"name": name}).scalar_one())


CHECKS = (
    Check("database", _check_database),
    Check("migrations", _check_migrations, needs=("database",)),
    Check("standby", _check_standby, needs=("database",)),
)
