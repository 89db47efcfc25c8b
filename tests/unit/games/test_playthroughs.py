"""Kept playthroughs: whatever changes what anybody sees changes one of these files.

`python -m tests.support.games.recorded_play` writes them anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.games import GAMES, Move, Seat
from tests.support.games.playthrough import playthrough
from tests.support.games.recorded_play import FOLDER, SEED, Recorded, recorded

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 64_000


@pytest.mark.parametrize("kept", recorded(), ids=lambda kept: kept.path.stem)
def test_playthrough_is_as_it_was(kept: Recorded) -> None:
    assert kept.path.read_text(encoding="utf-8") == kept.text()


def test_every_file_is_of_a_game() -> None:
    assert set(FOLDER.glob("*.txt")) == {kept.path for kept in recorded()}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_files_are_short_enough_to_be_read(path: Path) -> None:
    assert path.stat().st_size <= LONGEST


def test_given_moves_are_played_as_they_are() -> None:
    game = GAMES["martian-whist"]
    lines = list(playthrough(game, 2, {"sets": 2}, SEED, [(Seat(1), Move("take 1")), (Seat(2), Move("swap"))]))
    assert "1. seat 1 of 10 moves: take 1" in lines
    assert "2. seat 2 of 11 moves: swap" in lines
    assert '  stashes: [[], ["K1"]]' in lines
