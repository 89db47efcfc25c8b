"""Migrations under way: the code of the release before runs on, and nobody waits for long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.db.contractions import contractions, held_up, unused_since
from tests.support.db.expanding import VERSIONS
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

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
        assert unused_since(source) in RELEASES, (found, "docs/operate/upgrading.md")
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
