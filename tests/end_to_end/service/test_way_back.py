"""The way back: the version before runs on the tables of a newer one, with all that was played meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.live_service import service
from tests.support.service.way_back import plays, statement

if TYPE_CHECKING:
    from pathlib import Path


def test_the_service_starts_and_plays_on_tables_of_a_newer_version(short_path: Path) -> None:
    data = short_path / "data"
    with service(data) as newer:
        plays(newer, "Ann")
        statement(newer, "ALTER TABLE matches ADD COLUMN colour text")
        statement(newer, "UPDATE alembic_version SET version_num = '9999'")
    with service(data) as back:
        plays(back, "Bob")
        assert statement(back, "SELECT version_num FROM alembic_version") == "9999"
    said = (data / "log" / "upgrade.log").read_text()
    assert said.count("of a newer version, and are left unchanged") == 1
