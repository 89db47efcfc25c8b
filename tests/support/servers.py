"""A database server and a broker of the test run's own; each worker of a parallel run has its own pair."""

from __future__ import annotations

import contextlib
import itertools
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest
from redis import Redis

from pbem import config
from pbem.db.models import Base
from pbem.db.session import connect, set_task_sender
from pbem.ops.up import process
from pbem.ops.up.postgres import DATABASE_NAME, Cluster
from pbem.ops.up.valkey import Broker
from tests.support.house import House, open_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Engine

NUMBERS = itertools.count(1)
EMPTIED = ";".join(
    [
        # What operators did is never deleted, but between tests.
        "SET LOCAL session_replication_role = replica",
        *(f"DELETE FROM {table.name}" for table in Base.metadata.sorted_tables),  # noqa: S608 (names of our own)
        # Numbers go into tokens: they are not to depend on which tests came before.
        "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'",
    ]
)
"""What leaves a database without rows, in one go: it comes before each of some thousand tests."""


def administer(cluster: Cluster, statement: str) -> None:
    where = psycopg.conninfo.make_conninfo(host=str(cluster.sockets), user=DATABASE_NAME, dbname="postgres")
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute(statement.encode())


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A running PostgreSQL, careless about the disk."""
    folder = tmp_path_factory.mktemp("cluster")
    cluster = Cluster.in_folder(folder / "postgres", fsync=False)
    cluster.create()
    with process.running(cluster.part(folder / "database.log")):
        yield cluster
    with contextlib.suppress(OSError):
        cluster.sockets.rmdir()


@pytest.fixture(scope="session")
def postgres(cluster: Cluster) -> str:
    """The URL of a database without tables."""
    return cluster.url


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    """The name of a database with all tables, to be cloned and never connected to."""
    administer(cluster, "CREATE DATABASE template")
    environment = {**os.environ, "DATABASE_URL": cluster.database_url("template")}
    subprocess.run((sys.executable, "-m", "pbem.db.upgrade"), env=environment, check=True)
    return "template"


@contextlib.contextmanager
def clone(cluster: Cluster, template: str) -> Iterator[str]:
    name = f"clone_{next(NUMBERS)}"
    administer(cluster, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    yield cluster.database_url(name)
    administer(cluster, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def shared_database_url(cluster: Cluster, template: str) -> Iterator[str]:
    """The URL of a database with all tables, for tests that roll back what they do."""
    with clone(cluster, template) as url:
        yield url


@pytest.fixture
def database_url(cluster: Cluster, template: str) -> Iterator[str]:
    """The URL of a database with all tables for one test alone, which may commit."""
    with clone(cluster, template) as url:
        yield url


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A running Valkey that forgets."""
    folder = tmp_path_factory.mktemp("broker")
    broker = Broker.in_folder(folder / "valkey", keep=False)
    with process.running(broker.part(folder / "broker.log")):
        yield broker
    with contextlib.suppress(OSError):
        broker.sockets.rmdir()


@pytest.fixture
def valkey(broker: Broker) -> str:
    """The URL of an empty broker, as Celery reads it: no task of an earlier test waits there."""
    with Redis.from_url(broker.client_url) as redis:
        redis.flushall()
    return broker.url


@pytest.fixture(scope="session")
def house_engine(cluster: Cluster, template: str) -> Iterator[Engine]:
    """The connections of all houses, which live one after the other."""
    with clone(cluster, template) as url:
        engine = connect(config.database_url({"DATABASE_URL": url}), pool_size=10)
        yield engine
        engine.dispose()


@pytest.fixture
def house(house_engine: Engine, tmp_path: Path) -> House:
    """The whole service in this process, with an empty database and mailboxes for one test alone."""
    # An earlier test may have bound a broker, at which nobody answers by now.
    set_task_sender(lambda _task, _arguments: None)
    with house_engine.begin() as connection:
        connection.exec_driver_sql(EMPTIED)
    return open_house(house_engine, tmp_path / "mail")
