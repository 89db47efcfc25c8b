"""Migrations: they go up, down and up again, and end in what the models say."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from alembic import command
from sqlalchemy import create_engine, inspect

from pbem.config import database_url
from pbem.db import upgrade
from pbem.db.models import Base
from tests.conftest import administer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.up.postgres import Cluster


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    """The URL of a database without tables, for one test alone."""
    administer(cluster, "CREATE DATABASE empty")
    yield cluster.url_of("empty")
    administer(cluster, "DROP DATABASE empty WITH (FORCE)")


def tables(url: str) -> set[str]:
    engine = create_engine(database_url({"DATABASE_URL": url}))
    try:
        return set(inspect(engine).get_table_names())
    finally:
        engine.dispose()


def test_the_migrations_go_up_down_and_up_again_and_end_in_the_models(empty: str) -> None:
    url = database_url({"DATABASE_URL": empty})
    config = upgrade.alembic_config(url)
    upgrade.upgrade(url)
    assert tables(empty) == {*Base.metadata.tables, "alembic_version"}
    command.check(config)
    command.downgrade(config, "base")
    assert tables(empty) == {"alembic_version"}
    upgrade.upgrade(url)
    upgrade.upgrade(url)
    command.check(config)


def test_two_releases_that_start_at_once_take_turns(empty: str) -> None:
    environment = {**os.environ, "DATABASE_URL": empty}
    starts = [
        subprocess.Popen((sys.executable, "-m", "pbem.db.upgrade"), env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [start.communicate(timeout=90)[1] for start in starts]
    assert [start.returncode for start in starts] == [0, 0], said
    assert "matches" in tables(empty)


def test_without_a_database_url_the_command_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert upgrade.main() == 2
    assert capsys.readouterr().err.startswith("DATABASE_URL is not set: ")


def test_the_command_upgrades_what_database_url_names(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", empty)
    assert upgrade.main() == 0
    assert "matches" in tables(empty)


def test_a_percent_sign_in_a_url_is_kept() -> None:
    config = upgrade.alembic_config("postgresql+psycopg://x:a%40b@host/pbem")
    assert config.get_main_option("sqlalchemy.url") == "postgresql+psycopg://x:a%40b@host/pbem"
