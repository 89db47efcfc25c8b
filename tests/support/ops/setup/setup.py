"""What tests of setup share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem import env_file
from pbem.cli import main
from pbem.config import from_environment
from pbem.ops.setup.questions import PROVIDED_SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from pbem.config import Config

HOST = "https://games.example.org"
OWN = [HOST, "3", "", "", "y", "me@example.org"]


def answered(file: Path, answers: list[str], *more: str) -> Result:
    return CliRunner().invoke(
        main, ["setup", str(file), "--no-try", *more], input="".join(f"{each}\n" for each in answers)
    )


def config_of(file: Path) -> Config:
    return from_environment(PROVIDED_SETTINGS | env_file.read(file))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pbem.env"
