"""A new game by one command: written, found, and played by mail on the real service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli import main
from tests.support.ops.new_game.new_game import begun

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_that_exists_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my-game").mkdir()
    (tmp_path / "my-game" / "README.md").write_text("mine")
    assert begun(tmp_path, "my-game", monkeypatch) == (2, "“my-game” exists here already; nothing was changed.\n")
    assert [file.read_text() for file in (tmp_path / "my-game").iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    done = CliRunner().invoke(main, ["new-game", "my-game"])
    assert (done.exit_code, done.output) == (2, "The folder “my-game” cannot be written: No such file or directory.\n")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("My-Game", "lower-case letters"),
        ("-game", "lower-case letters"),
        ("../game", "lower-case letters"),
        ("2048", "lower-case letters"),
        ("spiel-für-zwei", "lower-case letters"),
        ("a" * 31, "lower-case letters"),
        ("minimax", "There is already a game “minimax”: Minimax."),
        ("martian-whist", "“martian-whist”: Martian Whist."),
        ("json", "Python already has a module “json”"),
        ("class", "Python already has a module “class”"),
        ("pbem", "Python already has a module “pbem”"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    arguments = [name] if not name.startswith("-") else ["--", name]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["new-game", *arguments])
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1
    assert not list(tmp_path.iterdir())
