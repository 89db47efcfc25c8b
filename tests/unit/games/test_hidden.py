"""Hidden values: shown to those who may know them, and never by accident."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games import Eye, Hidden, Seat

SECRET = Hidden("AS", frozenset({Seat(2)}))


@dataclass(frozen=True)
class Holding:
    card: Hidden[str]


def test_seats_that_may_know_and_the_open_eye_see_it() -> None:
    assert SECRET.shown_to(Seat(2)) == "AS"
    assert SECRET.shown_to(Eye.OPEN) == "AS"
    assert SECRET.value == "AS"


def test_all_others_see_nothing() -> None:
    assert SECRET.shown_to(Seat(1)) is None
    assert SECRET.shown_to(Eye.PUBLIC) is None
    assert Hidden("AS").shown_to(Seat(2)) is None


def test_a_repr_gives_nothing_away() -> None:
    assert "AS" not in repr(Holding(SECRET))
    assert repr(SECRET) == repr(Hidden("2C"))


def test_equal_secrets_are_equal() -> None:
    assert Hidden("AS", frozenset({Seat(2)})) == SECRET
    assert Hidden("AS") != SECRET
    assert len({SECRET, Hidden("AS", frozenset({Seat(2)}))}) == 1
