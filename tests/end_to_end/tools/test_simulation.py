"""A few of the lives of `make simulate`: tables finish, and nobody loses time unjustly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import simulation

if TYPE_CHECKING:
    import pytest


def test_matches_of_people_who_sleep_travel_and_vanish_all_end(capsys: pytest.CaptureFixture[str]) -> None:
    found = simulation.simulate(3, seed=5)
    assert simulation.report(found + found, begun=0) == 0
    told = capsys.readouterr().out
    assert "6 matches" in told
    assert found.moves > 20
    assert found.told["turn"] > 20
    assert "never ended: 0" in told
    assert found.outages > 0
    assert "outages that were none: 0" in told
    assert "reminders of turns that were over: 0" in told
