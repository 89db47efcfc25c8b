"""The way back: the version before runs on the tables of a newer one, with all that was played meanwhile."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.support.left_out import left_out
from tests.support.live_service import service
from tests.support.service.rolling import git
from tests.support.service.way_back import plays, statement

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def version_before() -> str:
    """Name the last release; while there is none, the code of the commit before."""
    tags = git("tag", "--list", "v*", "--sort=-version:refname", "--merged", "HEAD^").decode().split()
    return tags[0] if tags else git("rev-parse", "HEAD^").decode()


def test_the_version_before_starts_and_plays_on_the_tables_of_this_one(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, data = version_before(), short_path / "data"
    if b"newer" not in git("show", f"{before}:pbem/db/upgrade.py"):
        left_out("the way back", f"from a version after {before}, which knows none")
    code = short_path / "code"
    code.mkdir()
    subprocess.run(["tar", "x", "-C", str(code)], input=git("archive", before), check=True)  # noqa: S607
    with service(data) as newer:
        plays(newer, "Ann")
        # One more than this code has, in case the version before has all of them.
        statement(newer, "UPDATE alembic_version SET version_num = '9999'")
    monkeypatch.setattr("tests.support.live_service.ROOT", code)
    with service(data) as back:
        assert str(code) in back.settings()["PYTHONPATH"].split(":")
        plays(back, "Bob")
