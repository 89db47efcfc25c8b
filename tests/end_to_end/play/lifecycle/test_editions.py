"""Rules pinned for each match: one that was begun with an edition goes on with it when a newer one is there."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.places import PACKAGES

if TYPE_CHECKING:
    from pathlib import Path


def test_a_package_may_bring_several_editions_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "cards_again.py").write_text(
        "from middle_card import MiddleCard\n\n\nclass Second(MiddleCard):\n    edition = 2\n"
    )
    info = tmp_path / "cards_again-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cards-again\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pbem.games]\nmiddle-card-2 = cards_again:Second\n")
    asked = (
        "from pbem.games import GAMES, find\n"
        "print(*[type(find('middle-card', n)).__name__ for n in (1, 2)], GAMES['middle-card'].edition)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(PACKAGES)])}
    told = subprocess.run((sys.executable, "-c", asked), env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["MiddleCard", "Second", "2"]
