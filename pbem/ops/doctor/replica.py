"""Check that the replica is one of this database, and follows closely."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.connection import error_line
from pbem.db.replica import CONNECT_TIMEOUT_SECONDS, MAX_STALENESS_SECONDS, parse_lsn
from pbem.db.session import connect
from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned

POLL_SECONDS = 0.02
_SYSTEM_IDENTIFIER = "SELECT system_identifier FROM pg_control_system()"


def _check_replica(context: CheckContext) -> Results:
    if context.config.replica_url is None:
        yield passed("All pages are read from the primary database: PBEM_REPLICA_URL is not set.")
        return
    replica = connect(context.config.replica_url, pool_size=1, patience=CONNECT_TIMEOUT_SECONDS)
    try:
        yield _compare(context.engine, replica)
    except SQLAlchemyError as error:
        yield warned(
            f"The replica does not answer, so all pages are read from the primary: {error_line(error)}.",
            "Start the standby, or correct PBEM_REPLICA_URL.",
        )
    finally:
        replica.dispose()


def _compare(primary: Engine, replica: Engine) -> Result:
    if not _query(replica, "SELECT pg_is_in_recovery()"):
        return failed(
            "The database in PBEM_REPLICA_URL is not a replica, so it is not used.",
            "Set PBEM_REPLICA_URL to a standby, or unset it. If the standby was promoted, set DATABASE_URL to it.",
        )
    if _query(replica, _SYSTEM_IDENTIFIER) != _query(primary, _SYSTEM_IDENTIFIER):
        return failed(
            "The database in PBEM_REPLICA_URL is a replica of another one: pages would show its matches.",
            "Set PBEM_REPLICA_URL to a standby of the database in DATABASE_URL.",
        )
    began, written = time.monotonic(), parse_lsn(_query(primary, "SELECT pg_current_wal_lsn()::text"))
    while parse_lsn(_query(replica, "SELECT pg_last_wal_replay_lsn()::text")) < written:
        if time.monotonic() > began + MAX_STALENESS_SECONDS:
            return warned(
                f"The replica is more than {MAX_STALENESS_SECONDS:.0f} s behind, so pages are read from the primary.",
                "See its log, and pg_stat_replication on the primary.",
            )
        time.sleep(POLL_SECONDS)
    return passed(f"The replica caught up within {(time.monotonic() - began) * 1000:.0f} ms.")


def _query(engine: Engine, statement: str) -> Any:
    with engine.connect() as connection:
        return connection.execute(text(statement)).scalar_one()


CHECKS = (Check("replica", _check_replica, needs=("database",)),)
