"""Migrations: they go up, down and up again, and end in what the models say."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.util import CommandError

from pbem.config import database_url
from pbem.db import connection, upgrade
from pbem.db.models import Base
from tests.support.db.migrations import empty, tables

__all__ = ["empty"]


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


def test_without_a_database_url_the_command_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert upgrade.main() == 2
    assert capsys.readouterr().err.startswith("DATABASE_URL is not set: ")


def test_what_is_wrong_with_the_migrations_themselves_is_no_newer_version(empty: str) -> None:
    url = database_url({"DATABASE_URL": empty})
    with pytest.raises(CommandError, match="nowhere"):
        upgrade.upgrade(url, "nowhere")


def test_a_database_that_is_too_old_is_refused(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MIN_POSTGRES_VERSION", 1000)
    with pytest.raises(
        connection.UnreachableError, match=r"^PostgreSQL \d+ is too old: upgrade to PostgreSQL 1000 or newer.$"
    ):
        connection.wait_for_database(database_url({"DATABASE_URL": empty}))


def test_the_command_upgrades_what_database_url_names(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", empty)
    assert upgrade.main() == 0
    assert "matches" in tables(empty)


def test_a_percent_sign_in_a_url_is_kept() -> None:
    config = upgrade.alembic_config("postgresql+psycopg://x:a%40b@host/pbem")
    assert config.get_main_option("sqlalchemy.url") == "postgresql+psycopg://x:a%40b@host/pbem"
