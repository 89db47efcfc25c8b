"""Migrations under way: the code of the release before runs on, and nobody waits for long."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import psycopg
import pytest

from pbem.db.upgrade import MIGRATIONS
from tests.conftest import clone
from tests.db.contractions import contractions, held_up, unused_since
from tests.outside import ROOT, environment, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.up.postgres import Cluster

VERSIONS = sorted((MIGRATIONS / "versions").glob("*.py"))
BEFORE_ANY_RELEASE = {
    "0002_mail": ["create_check_constraint", "create_unique_constraint"],
    "0003_people": ["create_index that is unique"],
    "0004_clocks": ["drop_column", "create_index that is unique"],
}
"""Nobody ran the code before these."""
HELD_UP_BEFORE_ANY_RELEASE = {f"{number:04}" for number in range(1, 7)}
RELEASES = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_the_release_before_lives_with_every_migration(path: Path) -> None:
    source = path.read_text()
    found = contractions(source)
    if found and path.stem not in BEFORE_ANY_RELEASE:
        # What is taken away was used by no code since a release that is out: it names that.
        assert unused_since(source) in RELEASES, (found, "docs/upgrading.md")
    else:
        assert sorted(found) == sorted(BEFORE_ANY_RELEASE.get(path.stem, []))


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_indexes_of_tables_in_use_are_built_aside(path: Path) -> None:
    assert held_up(path.read_text()) == [] or path.stem[:4] in HELD_UP_BEFORE_ANY_RELEASE


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("op.drop_column('matches', 'words')", ["drop_column"]),
        ("op.drop_table('polls')", ["drop_table"]),
        ("op.rename_table('polls', 'looks')", ["rename_table"]),
        ("op.alter_column('matches', 'words', new_column_name='said')", ["alter_column new_column_name"]),
        ("op.alter_column('matches', 'ply', type_=sa.BigInteger())", ["alter_column type_"]),
        ("op.alter_column('matches', 'ply', nullable=False)", ["alter_column nullable=False"]),
        ("op.alter_column('matches', 'ply', nullable=True)", []),
        (
            "op.add_column('matches', sa.Column('x', sa.Text(), nullable=False))",
            ["add_column without a server_default"],
        ),
        ("op.add_column('matches', sa.Column('x', sa.Text(), server_default='', nullable=False))", []),
        ("op.add_column('matches', sa.Column('x', sa.Text(), nullable=True))", []),
        ("op.create_unique_constraint('u', 'matches', ['x'])", ["create_unique_constraint"]),
        ("build_index('u', 'matches', ['x'], unique=True)", ["build_index that is unique"]),
        ("op.create_table('new', sa.Column('x'))\n    op.create_index(op.f('u'), 'new', ['x'], unique=True)", []),
        ("op.execute('ALTER TABLE matches DROP COLUMN words')", ["SQL with DROP COLUMN"]),
        ("op.execute(\n        'ALTER TABLE matches'\n        ' RENAME words TO said')", ["SQL with RENAME"]),
        ("op.execute('ALTER TABLE matches ALTER ply TYPE bigint')", ["SQL with TYPE bigint"]),
        ("op.execute('ALTER TABLE matches ALTER ply SET NOT NULL')", ["SQL with SET NOT NULL"]),
        ("op.execute('UPDATE matches SET words = NULL')", []),
    ],
)
def test_what_the_release_before_stumbles_over_is_found(step: str, found: list[str]) -> None:
    source = f"def upgrade():\n    {step}\n\ndef downgrade():\n    op.drop_column('matches', 'x')\n"
    assert contractions(source) == found
    assert unused_since(source) is None
    assert unused_since(f"UNUSED_SINCE = '1.2.3'\n{source}") == "1.2.3"


def test_an_index_that_holds_others_up_is_found() -> None:
    held = "op.create_index('i', 'log', ['at'])\n    op.execute('CREATE INDEX j ON log (at)')"
    aside = "build_index('i', 'log', ['at'])\n    op.create_table('new')\n    op.create_index('k', 'new', ['x'])"
    found = held_up(f"def upgrade():\n    {held}\n    {aside}\n")
    assert found == [
        "create_index on log: use build_index",
        "SQL builds an index: CREATE INDEX j ON log (at)",
    ]


# -- what really happens -----------------------------------------------------------------------------------------------

INDEX = "build_index('ix_log_at', 'log', ['at'])"
COLUMN = "op.add_column('matches', sa.Column('colour', sa.Text(), nullable=True))"


@pytest.fixture
def url(cluster: Cluster, template: str) -> Iterator[str]:
    with clone(cluster, template) as found:
        yield found


def released(folder: Path, url: str, step: str) -> subprocess.Popen[str]:
    """Begin a release that brings one more migration."""
    after = folder / "migrations"
    if not after.exists():
        shutil.copytree(MIGRATIONS, after)
        (after / "versions" / "9999_more.py").write_text(
            "import sqlalchemy as sa\nfrom alembic import op\nfrom migrations.aside import build_index\n"
            f"revision = '9999'\ndown_revision = {VERSIONS[-1].stem[:4]!r}\n"
            f"def upgrade():\n    {step}\n"
        )
    code = "import sys, pathlib; from pbem.db import upgrade; upgrade.MIGRATIONS = pathlib.Path(sys.argv[1]); "
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
        reader.execute("SELECT count(*) FROM log")
        both = [released(tmp_path, url, INDEX) for _ in range(2)]
        # It waits for the reader, and lets everybody else do what they want.
        until(lambda: asked(url, "SELECT phase FROM pg_stat_progress_create_index") is not None)
        writer.execute("SET lock_timeout = '20s'")
        writer.execute("LOCK TABLE log IN ROW EXCLUSIVE MODE")
        writer.commit()
        reader.rollback()
        ended(*both)
    assert asked(url, "SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_log_at'::regclass") is True


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
