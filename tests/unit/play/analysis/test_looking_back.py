"""What looking back found: read from its facts, and said in sentences that add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.boards.prose import reader_name
from pbem.games.chain import EventEntry, MoveEntry
from pbem.i18n import use_locale
from pbem.play.analysis import looking_back, looking_back_words
from tests.support.play.analysis.facts import facts, facts_in_points, turning_point

if TYPE_CHECKING:
    from pbem.games.chain import Entry
    from pbem.play.analysis.looking_back import LookingBack

AT = "2026-11-21T05:50:10.123Z"
NAMES = ("Ann", "Bob")


def read(**more: Any) -> LookingBack:
    return looking_back.read(facts(**more), {})


def accounts(found: LookingBack, *names: str) -> list[str]:
    return [looking_back_words.account(found, one, names) for one in found.accounts]


def test_plies_are_found_at_their_steps_between_what_else_happened() -> None:
    log: list[Entry] = [
        MoveEntry(1, 1, "7H", AT, ""),
        MoveEntry(2, 2, "8H", AT, ""),
        EventEntry("taken_back", 2, "player", {"from": 2}, AT, ""),
        MoveEntry(3, 2, "9H", AT, ""),
    ]
    assert looking_back.step_numbers(log) == {0: 0, 1: 1, 2: 2, 3: 4}


def test_turning_points_of_a_seat_are_in_the_order_of_the_match() -> None:
    found = read(turning_points=[turning_point(9, 1), turning_point(2, 2), turning_point(3, 1)])
    assert [point.ply for point in found.turning_points_of(1)] == [3, 9]
    assert [point.ply for point in found.turning_points_of(2)] == [2]


def test_a_turning_point_says_what_was_kept_and_what_could_have_been() -> None:
    found = read()
    sentence = "Move 2: 7H kept 62 of 100, JS would have kept 78."
    assert looking_back_words.turning_point(found, found.turning_points[0]) == sentence
    points = looking_back.read(facts_in_points(), {})
    sentence = "Move 2: “B1 4” kept 8 points, “C2 1” would have kept 9.5."
    assert looking_back_words.turning_point(points, points.turning_points[0]) == sentence


def test_long_moves_end_their_sentences() -> None:
    long = {"played": "hands QC 9S 9H 9D 9C | AD KD", "best": "keep"}
    found = read(turning_points=[turning_point(43, 1, **long)])
    assert looking_back_words.turning_point(found, found.turning_points[0]) == (
        "Move 43 kept 62 of 100: “hands QC 9S 9H 9D 9C | AD KD”. The best would have kept 78: “keep”."
    )
    points = looking_back.read(facts_in_points(turning_points=[turning_point(3, 1, **long)]), {})
    assert looking_back_words.turning_point(points, points.turning_points[0]).startswith("Move 3 kept 62 points: “")


def test_the_account_of_the_reader_adds_up() -> None:
    own, other = accounts(read(), reader_name(), "Bob")
    assert own == (
        "You began with 50 of 100. The deals made +12.4, your play +38.7, the play of others −1.1: 100 at the end."
    )
    assert other == (
        "Bob began with 50 of 100. The deals made −12.4, Bob’s play +1.1, the play of others −38.7: 0 at the end."
    )


def test_what_is_unexplained_is_said_where_there_is_some() -> None:
    (only,) = accounts(looking_back.read(facts_in_points(), {}), reader_name())
    assert only == (
        "Such a match brings 9.1 points on average. "
        "The deals made +1.2, your play −2.4, unexplained +0.1: 8 at the end."
    )


def test_amounts_kept_are_whole_chances_and_points_with_a_decimal() -> None:
    assert looking_back_words.kept(read(), 62.4) == "62 of 100"
    points = looking_back.read(facts_in_points(), {})
    assert looking_back_words.kept(points, 8.5) == "8.5 points"
    with use_locale("de"):
        assert looking_back_words.kept(points, 8.5) == "8,5 Punkte"


def test_in_a_game_for_one_luck_and_play_are_measured_against_the_best_line() -> None:
    assert looking_back_words.measure(read()).endswith("against the ordinary play of a robot.")
    points = looking_back.read(facts_in_points(), {})
    assert looking_back_words.measure(points).endswith("against the best line that the robot finds.")


def test_the_chart_is_told_in_words() -> None:
    found = read()
    assert [looking_back_words.chart_point(one, NAMES) for one in found.chart[:2]] == [
        "The deal: Ann 50, Bob 50",
        "Move 1: Ann 62.5, Bob 37.5",
    ]
    assert looking_back_words.chart_summary(found, NAMES) == [
        "Ann: 50 after the deal, 100 at the end, in between from 50 to 100.",
        "Bob: 50 after the deal, 0 at the end, in between from 0 to 50.",
    ]
    assert looking_back_words.heading(found) == "Chances of 100, by move"
    assert looking_back_words.heading(looking_back.read(facts_in_points(), {})).startswith("Points")
