"""What a seat holds hidden is in nobody else's mail, in no inbox, and in no log, however it may be written.

That no byte depends on it is held by `test_secrecy.py`; here its very names are looked for.
"""

from __future__ import annotations

import os
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING

from tests.support.play.canaries import (
    SECRETIVE,
    leaks,
)
from tests.support.play.matches.mail_facts import config, deals

if TYPE_CHECKING:
    import pytest

    from pbem.config import Config

__all__ = ["config"]
GAMES_LOOKED_AT = int(os.environ.get("TEST_GAMES", "1000"))


def test_no_mail_of_many_matches_tells_what_another_seat_holds(
    config: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, mails, own, matches = time.perf_counter(), 0, 0, 0
    each = -(-GAMES_LOOKED_AT // len(SECRETIVE))
    for key in SECRETIVE:
        for deal in islice(deals(key), each):
            read, seen, found = leaks(config, deal)
            assert not found, deal
            mails, own, matches = mails + read, own + seen, matches + 1
    with capsys.disabled():
        sys.stdout.write(
            f"\n{matches} whole matches of {len(SECRETIVE)} games, {mails} mails, 0 cards or sealed moves of others, "
            f"{own} times the reader's own; {time.perf_counter() - begun:.0f} s\n"
        )
    assert matches >= GAMES_LOOKED_AT
