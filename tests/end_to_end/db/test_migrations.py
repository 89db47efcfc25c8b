"""Migrations: they go up, down and up again, and end in what the models say."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, pool

from pbem.config import database_url
from pbem.db import upgrade
from pbem.ops.up import process
from pbem.ops.up.postgres import Cluster
from tests.support.db.migrations import empty, tables
from tests.support.servers import administer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["empty"]


def test_two_releases_that_start_at_once_take_turns(empty: str) -> None:
    environment = {**os.environ, "DATABASE_URL": empty}
    starts = [
        subprocess.Popen((sys.executable, "-m", "pbem.db.upgrade"), env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [start.communicate(timeout=90)[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0], said
    assert "matches" in tables(empty)


def release(url: str, patience: float = 0.0) -> subprocess.Popen[str]:
    """Begin a release that waits so long for its database."""
    code = "import sys; from pbem.db import connection, upgrade; from pbem.telemetry import logs; "
    code += "from pbem.telemetry.redaction import Redactor; logs.configure('release', Redactor()); "
    code += "upgrade.wait_for_database = lambda url: connection.wait_for_database(url, float(sys.argv[1])); "
    code += "sys.exit(upgrade.main())"
    command = (sys.executable, "-c", code, str(patience))
    return subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url}, stderr=subprocess.PIPE, text=True)


def test_code_of_before_leaves_the_tables_of_a_newer_version_as_they_are(empty: str) -> None:
    url = database_url({"DATABASE_URL": empty})
    upgrade.upgrade(url)
    with create_engine(url, poolclass=pool.NullPool).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("ALTER TABLE matches ADD COLUMN colour text")
    for _time in range(2):
        back = release(empty)
        said = back.communicate(timeout=90)[1]
        assert (back.returncode, len(said.splitlines())) == (0, 1), said
        assert "the tables are at revision 9999 of a newer version, and are left unchanged" in said
    with create_engine(url, poolclass=pool.NullPool).connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == "9999"


@pytest.fixture
def locked(cluster: Cluster) -> Iterator[str]:
    """The name of somebody who signs in to the databases by the password `right`."""
    rules = cluster.data / "pg_hba.conf"
    before = rules.read_text()
    administer(cluster, "CREATE ROLE locked LOGIN PASSWORD 'right'")
    rules.write_text(f"local all locked scram-sha-256\n{before}")
    administer(cluster, "SELECT pg_reload_conf()")
    yield "locked"
    rules.write_text(before)
    administer(cluster, "SELECT pg_reload_conf()")
    administer(cluster, "DROP OWNED BY locked")
    administer(cluster, "DROP ROLE locked")


def test_a_database_that_cannot_be_used_is_named_in_one_sentence(cluster: Cluster, locked: str, empty: str) -> None:
    here = empty.partition("?")[2]
    for url, status, sentence in (
        (f"postgresql://{locked}:wrong-secret@/empty?{here}", 2, "The database refuses DATABASE_URL: "),
        (f"postgresql://{locked}:right@/empty?{here}", 1, "The tables could not be upgraded: "),
        (cluster.database_url("nothing"), 2, "The database refuses DATABASE_URL: "),
        ("postgresql://me:my-secret@127.0.0.1:1/pbem", 1, "The database could not be reached: "),
        ("postgresql://me@nowhere.invalid/pbem", 1, "The database could not be reached: "),
        ("postgresql://me:my-secret@localhost:abc/pbem", 2, "DATABASE_URL "),
        ("mysql://me@localhost/pbem", 2, "DATABASE_URL must begin with postgresql://"),
    ):
        told = release(url)
        said = told.communicate(timeout=90)[1]
        assert told.returncode == status, (url, said)
        assert said.startswith(sentence), said
        assert len(said.splitlines()) == 1, said
        assert "secret" not in said


def test_a_database_that_is_not_there_yet_is_waited_for(short_path: Path) -> None:
    late = Cluster.in_folder(short_path / "postgres", fsync=False)
    late.create()
    begun = release(late.url, 300)
    assert begun.stderr is not None
    assert "the database cannot be reached yet, and is tried again: " in begun.stderr.readline()
    with process.running(late.part(short_path / "database.log")):
        rest = begun.communicate(timeout=120)[1]
        assert (begun.returncode, rest) == (0, "")
        assert "matches" in tables(late.url)
