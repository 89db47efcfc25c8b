"""`pbem verify FILE`: what it says, and its exit status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.verification import LARGEST
from tests.games.small_record import acted, sealed

if TYPE_CHECKING:
    from pathlib import Path


def verified(file: Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", str(file)])
    return done.exit_code, done.output


def written(folder: Path, data: Any) -> Path:
    file = folder / "record.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data))
    return file


def sound() -> dict[str, Any]:
    """A record of a match that was resigned at once, as JSON data."""
    data: dict[str, Any] = sealed("resigned", [acted("resigned", seat=2, by="seat 2")], {"swap": True}).data()
    return data


def test_a_sound_record_is_told_of_line_by_line(tmp_path: Path) -> None:
    status, said = verified(written(tmp_path, sound()))
    assert status == 0
    assert said.splitlines()[0] == "Record of match abcdefghjk0123456789: Ann and Bob and Cyd"
    assert said.count("  holds: ") == 6
    assert said.splitlines()[-1] == "Everything in this record holds."


def test_the_first_thing_that_does_not_hold_is_named(tmp_path: Path) -> None:
    status, said = verified(written(tmp_path, sound() | {"seed": "0" * 64}))
    assert status == 1
    assert "DOES NOT HOLD: The seed does not hold" in said


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("\ufeff{}", "does not say"),
        ({"format": "pgn"}, "does not say"),
        ([], "does not say"),
    ],
)
def test_what_is_no_record_has_an_exit_status_of_its_own(tmp_path: Path, data: Any, why: str) -> None:
    status, said = verified(written(tmp_path, data))
    assert status == 2
    assert why in said


def test_a_file_that_cannot_be_read_is_no_record(tmp_path: Path) -> None:
    status, said = verified(tmp_path / "nothing")
    assert status == 2
    assert "cannot be read: No such file or directory" in said


def test_a_file_too_large_for_any_match_is_not_even_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as large:
        large.truncate(LARGEST + 1)
    status, said = verified(file)
    assert status == 2
    assert "larger than 32 MB" in said
