"""Leagues and the days of their seasons."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.events.designs import DESIGNS
from pbem.games import GAMES
from pbem.play.clocks import time_controls
from pbem.play.leagues.rules import LEAGUES, next_begin


@pytest.mark.parametrize(
    ("now", "begin"),
    [
        ("2026-01-15T12:00", "2026-04-01T09:00"),
        ("2026-03-23T09:00", "2026-04-01T09:00"),
        ("2026-03-23T09:01", "2026-07-01T09:00"),
        ("2026-11-28T14:00", "2027-01-01T09:00"),
        ("2026-12-24T18:00", "2027-04-01T09:00"),
    ],
)
def test_a_season_begins_with_the_quarter_that_leaves_a_week_before_the_draw(now: str, begin: str) -> None:
    found = next_begin(datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(begin).replace(tzinfo=UTC)


def test_each_game_of_two_or_more_has_a_league_that_can_be_played() -> None:
    ours = {
        key for key, game in GAMES.items() if type(game).__module__.startswith("pbem.games.") and max(game.seats) > 1
    }
    assert {*LEAGUES} == ours
    for league in LEAGUES.values():
        GAMES[league.game].settle(league.seats, dict(league.options))
        assert league.seats in DESIGNS


def test_larger_tables_have_a_shorter_bank() -> None:
    banks = {league.seats: time_controls.control_for(league.time_control).bank for league in LEAGUES.values()}
    assert [banks[2].days, banks[3].days] == [21, 16]  # type: ignore[union-attr]
