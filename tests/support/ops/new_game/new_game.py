"""What tests of new game share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from pbem.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def begun(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(main, ["new-game", name])
    return done.exit_code, done.output
