"""No line of any mail reads as a move of whoever gets it, nor does any word that is a command.

The letters are composed as the service does it, for positions that random play reaches.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from tests.support.play.matches.mail_facts import config, every_game, every_language, found_in_letters

if TYPE_CHECKING:
    import pytest

    from pbem.config import Config

__all__ = ["config"]
MANY_TURNS = int(os.environ.get("TEST_TURNS", "10000"))
"""How many turns of each game the long run looks at."""


@every_language
@every_game
def test_no_line_of_many_mails_reads_as_a_move(
    config: Config, key: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = time.perf_counter()
    letters, found = found_in_letters(config, key, language, MANY_TURNS, 1)
    took = time.perf_counter() - begun
    with capsys.disabled():
        sys.stdout.write(
            f"\n{key} ({language}): {MANY_TURNS} turns, {letters} letters, {len(found)} lines are moves, {took:.0f} s\n"
        )
    assert letters > MANY_TURNS
    assert not found
