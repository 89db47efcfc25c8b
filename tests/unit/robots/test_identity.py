"""Names of robots in records, and what events say of them."""

from __future__ import annotations

import pytest

from pbem.robots import Identity, Level, derive_seed, identity

STRONG = Identity(Level.STRONG, 12)


def test_a_record_names_level_and_edition() -> None:
    assert identity.record_name("Ada", STRONG) == "Ada (strong robot, edition 12)"
    assert identity.parse_name("Ada (strong robot, edition 12)") == STRONG


@pytest.mark.parametrize(
    "name", ["Ada", "Ada (strong)", "Ada (stronger robot, edition 1)", "Ada (easy robot, edition x)"]
)
def test_other_names_are_of_people(name: str) -> None:
    assert identity.parse_name(name) is None


def test_an_event_says_which_robot_takes_over() -> None:
    assert identity.parse_detail({**identity.event_detail(STRONG)}) == STRONG


@pytest.mark.parametrize(
    "detail",
    [{}, {"bot": True}, {"level": "good", "robot_edition": 1}, {"level": "fair", "robot_edition": "1"}, {"level": 1}],
)
def test_an_event_without_them_seats_a_person(detail: dict[str, object]) -> None:
    assert identity.parse_detail(detail) is None


def test_a_seed_depends_on_each_of_its_parts() -> None:
    parts = [bytes(32), "match", 1, 7, Level.STRONG, 1]
    others = [b"\1" * 32, "other", 2, 8, Level.BEST, 2]
    changed = [[*parts[:at], other, *parts[at + 1 :]] for at, other in enumerate(others)]
    seeds = {derive_seed(*each) for each in [parts, *changed]}  # type: ignore[arg-type]
    assert len(seeds) == 7
    assert {len(seed) for seed in seeds} == {32}
