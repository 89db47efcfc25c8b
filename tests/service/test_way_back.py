"""The way back: the version before runs on the tables of a newer one, with all that was played meanwhile."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.outside import Running, environment, service, until
from tests.service.test_rolling import git

if TYPE_CHECKING:
    from pathlib import Path


def statement(running: Running, sql: str) -> str:
    """Run a statement in the database of a running service; return the one value that it answers."""
    code = "import os, sys, psycopg; "
    code += "c = psycopg.connect(os.environ['DATABASE_URL'].replace('+psycopg', ''), autocommit=True); "
    code += "found = c.execute(sys.argv[1]); print(found.fetchone()[0] if found.description else '')"
    told = {**environment(), "DATABASE_URL": running.settings()["DATABASE_URL"]}
    done = subprocess.run([sys.executable, "-c", code, sql], env=told, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def plays(running: Running, name: str) -> None:
    """Begin a match, and have its first move played by mail."""
    match = running.begin("minimax", {}, name)
    _, mail, view = until(lambda: running.next_turn(match, (name,)), 120)
    assert running.reply(name, mail, view["moves"][0])
    until(lambda: running.next_turn(match, (name,), view["ply"]), 120)


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
    assert said.count("of a newer version than this code, and are left as they are") == 1


def version_before() -> str:
    """Name the last release; while there is none, the code of the commit before."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname", "--merged", "HEAD^").decode().split()
    return tags[0] if tags else git("rev-parse", "HEAD^").decode()


@pytest.mark.slow
def test_the_version_before_starts_and_plays_on_the_tables_of_this_one(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, data = version_before(), short_path / "data"
    if b"newer" not in git("show", f"{before}:pbem/db/upgrade.py"):
        pytest.skip(f"THE WAY BACK IS NOT TRIED: {before} was made before there was one")
    code = short_path / "code"
    code.mkdir()
    subprocess.run(["tar", "x", "-C", str(code)], input=git("archive", before), check=True)  # noqa: S607
    with service(data) as newer:
        plays(newer, "Ann")
        # One more than this code has, in case the version before has all of them.
        statement(newer, "UPDATE alembic_version SET version_num = '9999'")
    monkeypatch.setattr("tests.outside.ROOT", code)
    with service(data) as back:
        assert str(code) in back.settings()["PYTHONPATH"].split(":")
        plays(back, "Bob")
