"""What tests of migrations share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, inspect

from pbem.config import database_url
from tests.support.servers import administer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.up.postgres import Cluster


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    """The URL of a database without tables, for one test alone."""
    administer(cluster, "CREATE DATABASE empty")
    yield cluster.database_url("empty")
    administer(cluster, "DROP DATABASE empty WITH (FORCE)")


def tables(url: str) -> set[str]:
    engine = create_engine(database_url({"DATABASE_URL": url}))
    try:
        return set(inspect(engine).get_table_names())
    finally:
        engine.dispose()
