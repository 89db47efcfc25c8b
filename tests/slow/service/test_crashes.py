"""Whoever works on a move may be killed at any point: the move is played once, and told once or once more."""

from __future__ import annotations

import os
import sys
from itertools import cycle, islice
from typing import TYPE_CHECKING

from tests.support.crashing import POINTS
from tests.support.service.crashes import Tables, tables

if TYPE_CHECKING:
    import pytest

__all__ = ["tables"]

RUNS = int(os.environ.get("TEST_CRASHES", "210"))


def test_many_crashes_change_nothing(tables: Tables, capsys: pytest.CaptureFixture[str]) -> None:
    for who, when in islice(cycle(POINTS), RUNS):
        tables.run(who, when)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{RUNS} runs killed at {len(POINTS)} points: none lost, none played twice, {tables.repeated} repeated\n"
        )
    assert tables.repeated <= RUNS
