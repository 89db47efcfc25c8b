"""Connects to the database at the start of a release: waits until it is up, and reports a wrong one."""

from __future__ import annotations

import logging
import re
import time

from sqlalchemy import create_engine, pool
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem.config import MIN_POSTGRES_VERSION

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 120.0
"""Seconds to wait for the database; after that, the release has to be started again."""
RETRY_SECONDS = 1.0
_TEMPORARY_ERROR = re.compile(r"starting up|shutting down|recovery|not yet accepting|too many|connection slots")


class UnreachableError(Exception):
    """The database cannot be used: the message says why in one sentence, `status` is the exit status of the command.

    Status 2 means that a setting must change, status 1 that a later attempt may succeed.
    """

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def error_line(error: SQLAlchemyError) -> str:
    """Return the error message of a database or its driver as one line."""
    text = str(getattr(error, "orig", None) or error)
    return (text.strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def wait_for_database(url: str, patience: float = TIMEOUT_SECONDS) -> None:
    """Wait until a database answers; raises UnreachableError if it does not, or cannot be used."""
    end, is_logged = time.monotonic() + patience, False
    while True:
        try:
            version = _server_version(url)
            break
        except DBAPIError as error:
            message = error_line(error)
        if "FATAL" in message and not _TEMPORARY_ERROR.search(message):
            raise UnreachableError(f"The database refuses DATABASE_URL: {message}.", 2)
        if time.monotonic() >= end:
            raise UnreachableError(f"The database could not be reached: {message}.", 1)
        if not is_logged:
            log.warning("the database cannot be reached yet, and is tried again: %s", message)
        is_logged = True
        time.sleep(RETRY_SECONDS)
    if version < MIN_POSTGRES_VERSION:
        raise UnreachableError(
            f"PostgreSQL {version} is too old: upgrade to PostgreSQL {MIN_POSTGRES_VERSION} or newer.", 2
        )


def _server_version(url: str) -> int:
    engine = create_engine(url, poolclass=pool.NullPool, connect_args={"connect_timeout": 5}, hide_parameters=True)
    with engine.connect() as connection:
        return int(str(connection.exec_driver_sql("SHOW server_version_num").scalar_one())) // 10_000
