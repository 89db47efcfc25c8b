from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.config import database_url
from tests.support.servers import administer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.up.postgres import Cluster


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    """The URL of a database without tables, for one test alone."""
    administer(cluster, "CREATE DATABASE nothing_yet")
    yield database_url({"DATABASE_URL": cluster.database_url("nothing_yet")})
    administer(cluster, "DROP DATABASE nothing_yet WITH (FORCE)")
