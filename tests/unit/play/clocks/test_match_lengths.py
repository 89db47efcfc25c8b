"""How long a match takes, as it is said to whoever starts one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import lengths as measuring
from pbem.games import GAMES
from pbem.i18n import use_locale
from pbem.play.clocks import match_lengths

if TYPE_CHECKING:
    from pathlib import Path

OURS = [key for key, game in GAMES.items() if type(game).__module__.startswith("pbem.")]


def whole(game: str, seats: int, **options: object) -> match_lengths.Length:
    found = match_lengths.estimate(game, seats, GAMES[game].settle(seats, options))
    assert found
    return found


@pytest.mark.parametrize("game", OURS)
def test_every_game_of_ours_is_measured_with_all_its_options(game: str) -> None:
    for seats in GAMES[game].seats:
        usual = whole(game, seats)
        assert usual.turns >= 1
        for option, values in GAMES[game].options.items():
            for value in values:
                length = match_lengths.estimate(game, seats, {**GAMES[game].settle(seats, {}), option: value})
                assert length
                assert 1 <= length.turns <= 200
                assert length.waits >= 1


@pytest.mark.parametrize("game", match_lengths.SHORT_OPTIONS)
def test_the_short_form_is_shorter(game: str) -> None:
    seats = GAMES[game].seats[0]
    assert whole(game, seats, **match_lengths.SHORT_OPTIONS[game]).turns < 0.6 * whole(game, seats).turns


def test_what_was_not_measured_lies_between_what_was() -> None:
    turns = [whole("montauk", 2, rounds=rounds).turns for rounds in range(1, 13)]
    assert turns == sorted(turns)
    assert len(set(turns)) == len(turns)


def test_options_that_work_together_are_multiplied() -> None:
    short = whole("martian-trickery", 3, prizes="two-stash", hands=1)
    assert short.turns < whole("martian-trickery", 3).turns / 2


def test_an_unknown_value_of_an_option_changes_nothing() -> None:
    usual = match_lengths.estimate("montauk", 2, {"rounds": 12})
    assert match_lengths.estimate("montauk", 2, {"rounds": 12, "weather": "fine"}) == usual
    assert match_lengths.estimate("montauk", 2, {"rounds": 99}) == usual


def test_a_game_that_nobody_has_measured_has_no_length() -> None:
    assert match_lengths.estimate("middle-card", 3, {}) is None
    assert not match_lengths.describe("middle-card", 3, {}, "3 days")


@pytest.mark.parametrize(
    ("days", "words"),
    [(0.2, "about a day"), (5, "about 5 days"), (21, "about 3 weeks"), (10, "about a week"), (120, "about 4 months")],
)
def test_a_time_is_said_in_words(days: float, words: str) -> None:
    assert match_lengths.describe_duration(days) == words


def test_turns_and_weeks_are_said_together() -> None:
    said = match_lengths.describe("martian-whist", 2, {"sets": 2}, "3 days")
    assert said.startswith("about 20 turns each, about ")
    assert said.endswith(" weeks")
    assert match_lengths.describe("martian-whist", 2, {"sets": 2}, "none") == "about 20 turns each"
    assert match_lengths.describe("minimax", 1, {"size": "small"}, "3 days") == "about 5 turns"
    with use_locale("de"):
        assert "Züge" in match_lengths.describe("martian-whist", 2, {"sets": 2}, "3 days")


def test_what_is_measured_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "lengths.toml"
    monkeypatch.setattr("sys.argv", ["lengths", "--games", "1", "--to", str(written)])
    monkeypatch.setattr(measuring, "GAMES", {key: GAMES[key] for key in ("minimax", "martian-whist")})
    measuring.main()
    monkeypatch.setattr(match_lengths, "MEASUREMENTS_PATH", written)
    match_lengths._load_measurements.cache_clear()
    try:
        assert whole("martian-whist", 2).waits > whole("minimax", 1).waits == 1
    finally:
        match_lengths._load_measurements.cache_clear()
