"""What was measured of robots, and the sentences that say it."""

from __future__ import annotations

from datetime import date

import pytest

from pbem import robots
from pbem.i18n import use_locale
from pbem.play.matches import robot_strengths
from pbem.robots import Level, strengths
from tests.support.strengths import MEASURED


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strengths, "measured", lambda: strengths.parse(MEASURED))


def test_an_entry_is_read_with_all_its_figures() -> None:
    whist, *_others = strengths.parse(MEASURED)
    assert (whist.game, whist.edition, whist.level, whist.against) == ("martian-whist", 1, Level.STRONG, Level.FAIR)
    assert (whist.share, whist.low, whist.high, whist.seats, whist.deals) == (0.71, 0.68, 0.74, 2, 400)
    assert (whist.day, whist.ms, whist.options) == (date(2026, 11, 27), 230, {"sets": 2})


@pytest.mark.parametrize(
    "wrong", ['level = "hard"', 'against = "hard"', "luck = 1"], ids=["no level", "no opponent", "no figure"]
)
def test_an_entry_that_is_not_right_is_refused(wrong: str) -> None:
    name = wrong.partition(" ")[0]
    entry = MEASURED.partition("\n\n")[0]
    lines = [line for line in entry.splitlines() if not line.startswith(f"{name} ")]
    with pytest.raises((ValueError, TypeError)):
        strengths.parse("\n".join([*lines, wrong]))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("seats", "found"), [(3, 0.55), (4, 0.45), (2, 0.55)])
def test_an_entry_for_as_many_seats_comes_first(seats: int, found: float) -> None:
    entry = strengths.find("martian-trickery", Level.STRONG, seats)
    assert entry
    assert entry.share == found


def test_each_entry_is_of_a_level_and_of_the_edition_that_plays() -> None:
    """An entry that fails here is to be measured again: `python -m benchmarks.gauntlet`."""
    for entry in strengths.measured():
        assert entry.level in robots.levels(entry.game)
        assert entry.edition == robots.edition(entry.game)
        assert entry.low <= entry.share <= entry.high


DAY = "measured 27 November 2026"
WHIST_STRONG = f"Of 100 matches against fair it wins 71 (68 to 74), {DAY}; thinks about a quarter of a second."
WHIST_EASY = f"Of 100 matches against random moves it wins 93 (90 to 95), {DAY}; plays at once."
OF_THREE = "against two others, all fair, it wins 55 (50 to 60; an equal one would win 33)"
OF_FOUR = "against three others, all fair, it wins 45 (40 to 50; an equal one would win 25)"


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("game", "level", "seats", "sentence"),
    [
        ("martian-whist", Level.STRONG, 2, WHIST_STRONG),
        ("martian-whist", Level.EASY, 2, WHIST_EASY),
        ("martian-trickery", Level.STRONG, 3, f"Of 100 matches {OF_THREE}, {DAY}; thinks about half a second."),
        ("martian-trickery", Level.STRONG, 4, f"Of 100 matches {OF_FOUR}, {DAY}; thinks about two seconds."),
        ("martian-whist", Level.FAIR, 2, ""),
        ("montauk", Level.STRONG, 2, ""),
    ],
)
def test_a_level_is_described_by_what_was_measured(game: str, level: Level, seats: int, sentence: str) -> None:
    assert robot_strengths.describe(game, level, seats) == sentence


@pytest.mark.usefixtures("few")
def test_the_same_is_said_in_german() -> None:
    with use_locale("de"):
        assert robot_strengths.describe("martian-whist", Level.STRONG, 2) == (
            "Von 100 Partien gegen „mittel“ gewinnt er 71 (68 bis 74), gemessen am 27. November 2026; "
            "denkt etwa eine Viertelsekunde."
        )
