"""A league and a ladder of a few simulated people: whatever they do, seasons end, and tables and places are right."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from benchmarks import lives
from benchmarks.events import LEAGUES, ladder_goals, league_goals
from benchmarks.goals import Reached
from benchmarks.ladder_years import Ladder
from benchmarks.lives import DAY, FAR, Away, people
from benchmarks.seasons import DRAW_BEFORE, League, season_begin
from benchmarks.timed_matches import Agenda, Entrant, Rules, Table, TimedMatch
from pbem.play.clocks import time_controls

BEGIN = season_begin(1)
WITHIN_TIME = "groups not over within"
"""So few groups may be slow by chance."""


@pytest.fixture
def mindful(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who forget no mail."""
    monkeypatch.setattr(lives, "FORGETS", 0.0)


def ended_match(*entrants: Entrant, clock: str = time_controls.LEAGUE) -> TimedMatch:
    """Play a match of Martian Whist; return it when it is over."""
    agenda = Agenda(BEGIN)
    rules = Rules.measured("martian-whist", 2, {"sets": 2}, clock)
    match = TimedMatch([*entrants], BEGIN)
    Table(agenda, rules, Random(1), lambda _match: None, lambda _match, _entrant: None).begin(match)
    agenda.run()
    return match


def entrant(number: int, *gone: Away) -> Entrant:
    (person,) = people(1, BEGIN, Random(number))
    person = type(person)("P", "p@example.org", "UTC", 7, 22, 3.0, writes=True, gone=gone)
    return Entrant(number, person, 0)


@pytest.mark.parametrize("league", LEAGUES, ids=lambda league: str(league[0]))
def test_seasons_end_and_tables_are_right(league: tuple[str, int, dict[str, object], str]) -> None:
    game, seats, options, clock = league
    rules = Rules.measured(game, seats, options, clock)
    found = League(Agenda(BEGIN - DRAW_BEFORE), Random(1), rules, seats, 30)
    found.run(2)
    assert found.withdrawn
    reached = [one for one in league_goals(found) if not one.what.startswith(WITHIN_TIME)]
    assert [one for one in reached if one.found > one.most] == []


def test_a_ladder_keeps_its_places() -> None:
    rules = Rules.measured("martian-whist", 2, {"sets": 2}, time_controls.DEFAULT)
    found = Ladder(Agenda(BEGIN), Random(1), rules, 30)
    found.run(BEGIN + 180 * DAY)
    assert found.what_happened["matches"] > found.what_happened["lapsed"] > 0
    assert [one for one in ladder_goals(found) if one.found > one.most] == []


@pytest.mark.usefixtures("mindful")
def test_one_who_vanishes_loses_when_the_bank_is_used_up() -> None:
    vanished = entrant(1, Away(BEGIN - DAY, FAR))
    match = ended_match(vanished, entrant(2))
    assert match.scores == (0.0, 1.0)
    assert match.timed_out == [0]
    assert match.ended_at is not None
    # Three weeks, three days that are taken by themselves, and the morning after.
    assert timedelta(days=24) <= match.ended_at - BEGIN <= timedelta(days=25)


@pytest.mark.usefixtures("mindful")
def test_an_announced_absence_stops_the_clock_for_two_weeks_of_a_season() -> None:
    away = Away(BEGIN + DAY, BEGIN + 60 * DAY, told=BEGIN)
    match = ended_match(entrant(1, away), entrant(2))
    assert match.timed_out == [0]
    assert match.ended_at is not None
    assert timedelta(days=21 + 14) <= match.ended_at - BEGIN <= timedelta(days=21 + 14 + 3)


@pytest.mark.usefixtures("mindful")
def test_a_match_of_people_who_answer_is_played_to_its_end() -> None:
    match = ended_match(entrant(1), entrant(2))
    assert match.timed_out == []
    assert match.stages == 39


def test_a_goal_of_none_is_missed_by_one() -> None:
    assert "over it" in str(Reached("gaps", 1, 0))
    assert "over it" not in str(Reached("gaps", 0, 0))
