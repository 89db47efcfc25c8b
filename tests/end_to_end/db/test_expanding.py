"""Migrations under way: the code of the release before runs on, and nobody waits for long."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest

from pbem.db.upgrade import MIGRATIONS_FOLDER
from tests.support.db.expanding import VERSIONS
from tests.support.live_service import environment, until
from tests.support.servers import clone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.ops.up.postgres import Cluster


# -- what really happens -----------------------------------------------------------------------------------------------

INDEX = "build_index('ix_log_entries_logged_at', 'log_entries', ['logged_at'])"
COLUMN = "op.add_column('matches', sa.Column('colour', sa.Text(), nullable=True))"


@pytest.fixture
def url(cluster: Cluster, template: str) -> Iterator[str]:
    with clone(cluster, template) as found:
        yield found


def released(folder: Path, url: str, step: str) -> subprocess.Popen[str]:
    """Begin a release that brings one more migration."""
    after = folder / "migrations"
    if not after.exists():
        shutil.copytree(MIGRATIONS_FOLDER, after)
        (after / "versions" / "9999_more.py").write_text(
            "import sqlalchemy as sa\nfrom alembic import op\nfrom migrations.concurrent_index import build_index\n"
            f"revision = '9999'\ndown_revision = {VERSIONS[-1].stem[:4]!r}\n"
            f"def upgrade():\n    {step}\n"
        )
    code = "import sys, pathlib; from pbem.db import upgrade; upgrade.MIGRATIONS_FOLDER = pathlib.Path(sys.argv[1]); "
    code += "sys.exit(upgrade.main())"
    command = [sys.executable, "-c", code, str(after)]
    return subprocess.Popen(command, env=environment(DATABASE_URL=url), stderr=subprocess.PIPE, text=True)


def opened(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url.replace("postgresql+psycopg", "postgresql"))


def ended(*releases: subprocess.Popen[str]) -> list[int]:
    said = [release.communicate(timeout=120)[1] for release in releases]
    assert [release.returncode for release in releases] == [0] * len(releases), said
    return [release.returncode for release in releases]


def test_an_index_is_built_beside_those_who_read_and_write(tmp_path: Path, url: str) -> None:
    with closing(opened(url)) as reader, closing(opened(url)) as writer:
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("SELECT count(*) FROM log_entries")
        both = [released(tmp_path, url, INDEX) for _ in range(2)]
        # It waits for the reader, and lets everybody else do what they want.
        until(lambda: asked(url, "SELECT phase FROM pg_stat_progress_create_index") is not None)
        writer.execute("SET lock_timeout = '20s'")
        writer.execute("LOCK TABLE log_entries IN ROW EXCLUSIVE MODE")
        writer.commit()
        reader.rollback()
        ended(*both)
    assert asked(url, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_log_entries_logged_at'::regclass") is True


def test_a_migration_that_waits_for_a_table_lets_others_through(tmp_path: Path, url: str) -> None:
    with closing(opened(url)) as reader, closing(opened(url)) as other:
        reader.execute("SELECT count(*) FROM matches")
        release = released(tmp_path, url, COLUMN)
        waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
        until(lambda: asked(url, waits) == 1)
        other.execute("SET lock_timeout = '60s'")
        other.execute("SELECT count(*) FROM matches")
        other.rollback()
        assert release.poll() is None
        reader.rollback()
        ended(release)
    assert asked(url, "SELECT count(colour) FROM matches") == 0


def asked(url: str, statement: str) -> object:
    with closing(opened(url)) as connection:
        row = connection.execute(statement.encode()).fetchone()
        return row[0] if row else None
