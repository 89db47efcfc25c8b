"""Whoever works on a move may be killed at any point: the move is played once, and told once or once more."""

from __future__ import annotations

import pytest

from tests.support.crashing import POINTS
from tests.support.service.crashes import Tables, tables

__all__ = ["tables"]


@pytest.mark.parametrize(("who", "when"), POINTS)
def test_a_crash_at_any_point_changes_nothing(tables: Tables, who: str, when: str) -> None:
    tables.run("judge", "before its commit")
    tables.run(who, when)
