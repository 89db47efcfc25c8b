"""Sentences about par, from what a robot and a player made."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.i18n import use_locale
from pbem.play.analysis import par_words
from pbem.play.analysis.comparison import NOBODY, PEOPLE, ROBOTS, Comparison, compare, facts

NAMES = ("Ann", "Bob")


def compared(**more: Any) -> Comparison:
    parts: dict[str, Any] = {"seat": 1, "level": "strong", "plays": 20, "mean": 9.0, "wins": 12, "points": 14}
    return Comparison(**parts | {"others": ROBOTS} | more)


def test_a_comparison_is_made_from_results() -> None:
    par = {"level": "strong", "edition": 1, "plays": [[9, 4], [2, 4]], "winners": [[1], [1, 2]]}
    result = {"scores": {"1": 14, "2": 3}, "winners": [1], "ending": "finished"}
    assert compare(1, par, result, [1]) == compared(plays=2, mean=5.5, wins=2)
    assert compare(2, par, result, [1, 2]) == Comparison(2, "strong", 2, 4.0, 1, 3, PEOPLE)
    resigned = compare(1, par, {"scores": None, "winners": [2], "ending": "resigned"}, [1])
    assert (resigned.points, resigned.difference) == (None, None)
    alone = {"level": "strong", "edition": 1, "plays": [[17]], "winners": [[]]}
    assert compare(1, alone, {"scores": {"1": 14}}, [1]).others == NOBODY


def test_facts_of_a_mail_are_the_comparison() -> None:
    assert Comparison(**facts(compared())) == compared()


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (
            compared(),
            (
                "The strong robot in your seat, with the same cards and the same others, made 9.0 points on average of "
                "20 plays and won 12 of them; you made 14: +5.0."
            ),
        ),
        (
            compared(others=PEOPLE, mean=14.04, level="fair"),
            (
                "The fair robot in your seat, with the same cards, made 14.0 points on average of 20 plays and won 12 "
                "of them; you made 14: ±0.0."
            ),
        ),
        (
            compared(others=NOBODY, plays=1, mean=17.0, wins=0),
            "The strong robot, with the same deal, made 17 points; you made 14: \N{MINUS SIGN}3.",
        ),
        (
            compared(others=NOBODY, wins=0),
            "The strong robot, with the same deal, made 9.0 points on average of 20 plays; you made 14: +5.0.",
        ),
        (
            compared(points=None, plays=1, mean=1.0),
            "The strong robot in your seat, with the same cards and the same others, made one point.",
        ),
        (
            compared(mean=-0.05, wins=0, points=-3),
            (
                "The strong robot in your seat, with the same cards and the same others, made \N{MINUS SIGN}0.1 points "
                "on average of 20 plays and won 0 of them; you made \N{MINUS SIGN}3: \N{MINUS SIGN}3.0."
            ),
        ),
    ],
)
def test_the_robot_in_one_s_own_seat(one: Comparison, said: str) -> None:
    assert par_words.sentence(one) == said


@pytest.mark.parametrize(
    ("points", "said", "difference"),
    [
        (0.05, "0.1", "+0.1"),
        (-0.05, "\N{MINUS SIGN}0.1", "\N{MINUS SIGN}0.1"),
        (-0.04, "0.0", "±0.0"),
        (0.0, "0.0", "±0.0"),
        (-0.25, "\N{MINUS SIGN}0.2", "\N{MINUS SIGN}0.2"),
    ],
)
def test_a_sign_stands_before_amounts_alone(points: float, said: str, difference: str) -> None:
    assert (par_words.format_points(points), par_words.format_difference(points)) == (said, difference)


def test_the_robot_in_the_seats_of_people_the_reader_s_first() -> None:
    both = [compared(others=PEOPLE), compared(others=PEOPLE, seat=2, mean=20.0)]
    assert par_words.sentences(both, NAMES, 2) == [
        (
            "The strong robot in your seat, with the same cards, made 20.0 points on average of 20 plays and won 12 of "
            "them; you made 14: \N{MINUS SIGN}6.0."
        ),
        (
            "The strong robot in the seat of Ann, with the same cards, made 9.0 points on average of 20 plays and won "
            "12 of them; Ann made 14: +5.0."
        ),
        "Strong robots played the seats of people.",
    ]


def test_without_points_it_is_said_why() -> None:
    assert par_words.sentences([compared(points=None)], NAMES)[1:] == [
        "The match did not end by the rules, so there are no points to compare."
    ]


def test_in_german() -> None:
    with use_locale("de"):
        assert par_words.sentence(compared(mean=9.25)) == (
            "Der starke Roboter auf deinem Platz hat mit denselben Karten und denselben anderen im Schnitt von 20 "
            "Versuchen 9,2 Punkte gemacht und 12 davon gewonnen; du hast 14 gemacht: +4,8."
        )
        assert par_words.sentence(compared(plays=1, others=NOBODY), "Ann") == (
            "Der starke Roboter hat bei gleicher Verteilung 9 Punkte gemacht; Ann hat 14 gemacht: +5."
        )
