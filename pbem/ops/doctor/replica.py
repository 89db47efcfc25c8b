"""Check that the replica is one of this database, and follows closely."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.replica import CONNECT_TIMEOUT_SECONDS, MAX_STALENESS_SECONDS, parse_lsn
from pbem.db.session import connect
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from pbem.ops.doctor.check import CheckContext, Result

POLL_SECONDS = 0.02
_SYSTEM_IDENTIFIER = "SELECT system_identifier FROM pg_control_system()"


def _check_replica(ground: CheckContext) -> Iterator[Result]:
    if ground.config.replica_url is None:
        yield passed("All pages are read from the database itself: PBEM_REPLICA_URL names no copy of it.")
        return
    copy = connect(ground.config.replica_url, pool_size=1, patience=CONNECT_TIMEOUT_SECONDS)
    try:
        yield _compare(ground.engine, copy)
    except SQLAlchemyError as fault:
        said = str(getattr(fault, "orig", None) or fault).strip().splitlines()[0]
        yield warned(
            f"The copy does not answer, so all pages are read from the database itself: {said}",
            "Start the standby, or correct PBEM_REPLICA_URL.",
        )
    finally:
        copy.dispose()


def _compare(original: Engine, copy: Engine) -> Result:
    if not _query(copy, "SELECT pg_is_in_recovery()"):
        return failed(
            "What PBEM_REPLICA_URL names follows no other database, so nothing is read from it.",
            "Point it at a standby, or unset it. If that one was promoted, DATABASE_URL is to name it now.",
        )
    if _query(copy, _SYSTEM_IDENTIFIER) != _query(original, _SYSTEM_IDENTIFIER):
        return failed(
            "What PBEM_REPLICA_URL names is a copy of another database: its matches would be shown as ours.",
            "Point it at a standby of the database that DATABASE_URL names.",
        )
    began, written = time.monotonic(), parse_lsn(_query(original, "SELECT pg_current_wal_lsn()::text"))
    while parse_lsn(_query(copy, "SELECT pg_last_wal_replay_lsn()::text")) < written:
        if time.monotonic() > began + MAX_STALENESS_SECONDS:
            return warned(
                f"The copy is more than {MAX_STALENESS_SECONDS:.0f} s behind, "
                "so all pages are read from the database itself.",
                "Look at its log, and at pg_stat_replication in the database.",
            )
        time.sleep(POLL_SECONDS)
    return passed(f"The copy had everything after {(time.monotonic() - began) * 1000:.0f} ms.")


def _query(engine: Engine, statement: str) -> Any:
    with engine.connect() as connection:
        return connection.execute(text(statement)).scalar_one()


CHECKS = (Check("replica", _check_replica, needs=("database",)),)
