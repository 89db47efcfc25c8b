"""One database server for all runs of tests: a plugin of pytest that gives it to those who ask for one.

Each run would make a server and its tables anew otherwise, which takes longer than most tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from pbem.ops.up import process
from pbem.ops.up.postgres import DATABASE_NAME, Cluster
from tests.planted.children import PLACE

if TYPE_CHECKING:
    from collections.abc import Callable

TEMPLATE = "template"

_LEFT = "SELECT datname FROM pg_database WHERE datname LIKE 'clone!_%' ESCAPE '!'"


def keep(data: Path, ready: Callable[[], object], over: Callable[[], object]) -> None:
    """Run a server with a database that has all tables, and report when it is `ready`, until it is `over`."""
    data.mkdir()
    cluster = Cluster.in_folder(data / "postgres", fsync=False)
    cluster.create()
    with process.running(cluster.part(data / "database.log")):
        _administer(cluster, f"CREATE DATABASE {TEMPLATE}")
        environment = {**os.environ, "DATABASE_URL": cluster.database_url(TEMPLATE)}
        subprocess.run((sys.executable, "-m", "pbem.db.upgrade"), env=environment, check=True)
        ready()
        over()


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> object | None:
    """Return the server that is kept, and the name of its database with all tables, in place of new ones."""
    found: object | None = None
    if fixturedef.argname == "cluster":
        found = Cluster.in_folder(Path(os.environ[PLACE]) / "postgres", fsync=False)
        for name in _administer(found, _LEFT):
            # A run that was ended has left it.
            _administer(found, f"DROP DATABASE {name} WITH (FORCE)")
    elif fixturedef.argname == "template":
        found = TEMPLATE
    if found is not None:
        fixturedef.cached_result = (found, None, None)
    return found


def _administer(cluster: Cluster, statement: str) -> list[str]:
    where = psycopg.conninfo.make_conninfo(host=str(cluster.sockets), user=DATABASE_NAME, dbname="postgres")
    with psycopg.connect(where, autocommit=True) as connection:
        found = connection.execute(statement.encode())
        return [row[0] for row in found] if found.description else []
