"""Draws of groups: everybody has one place, the groups are as equal as they can be, households are apart."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.events.designs import DESIGNS, Design, tables
from pbem.events.groups import GroupEntrant, choose_design, draw_groups
from tests.support.examples import examples

TWO_FIVE, TWO_SEVEN = DESIGNS[2]
THREE_SEVEN = DESIGNS[3][0]
DRAWS = st.tuples(
    st.sampled_from([design for designs in DESIGNS.values() for design in designs]),
    st.integers(min_value=1, max_value=60),
)


def newcomers(count: int) -> list[GroupEntrant]:
    return [GroupEntrant(number, rating=1000 - number) for number in range(1, count + 1)]


@given(DRAWS)
@settings(max_examples=examples(100), deadline=None)
def test_everybody_is_in_one_group_and_groups_differ_by_one_robot_at_most(drawn: tuple[Design, int]) -> None:
    design, count = drawn
    groups = draw_groups(newcomers(count), design)
    assert sorted(player for player in chain(*groups) if player is not None) == [*range(1, count + 1)]
    assert {len(group) for group in groups} == {design.group}
    robots = [group.count(None) for group in groups]
    assert max(robots) - min(robots) <= 1
    assert sum(robots) == -count % design.group


@pytest.mark.parametrize(
    ("seats", "entrants", "group"),
    [
        (2, 5, 5),
        (2, 6, 7),
        (2, 7, 7),
        (2, 8, 5),
        (2, 10, 5),
        (2, 35, 5),
        (3, 6, 7),
        (3, 13, 13),
        (3, 14, 7),
        (4, 9, 13),
    ],
)
def test_groups_have_the_size_that_needs_the_fewest_robots(seats: int, entrants: int, group: int) -> None:
    assert choose_design(seats, entrants).group == group


def test_newcomers_are_ordered_by_rating() -> None:
    entrants = [GroupEntrant(1, rating=20), GroupEntrant(2, rating=30), GroupEntrant(3, rating=25)]
    assert draw_groups(entrants, TWO_FIVE) == ((2, 3, 1, None, None),)


def test_last_seasons_places_order_the_others_and_newcomers_come_after_them() -> None:
    known = [
        GroupEntrant(player, group, place) for player, group, place in ((1, 2, 1), (2, 1, 3), (3, 1, 1), (4, 2, 4))
    ]
    first, second = draw_groups([*known, *(GroupEntrant(player, rating=99) for player in range(5, 11))], TWO_FIVE)
    assert first == (3, 2, 1, 4, 5)
    assert second == (6, 7, 8, 9, 10)


@pytest.mark.parametrize(("people", "full"), [(7, 7), (6, 4), (5, 2), (4, 1), (3, 1)])
def test_robots_sit_where_most_tables_are_without_one(people: int, full: int) -> None:
    (group,) = draw_groups(newcomers(people), THREE_SEVEN)
    seated = [[group[member] for member in table] for table in tables(THREE_SEVEN)]
    assert sum(None not in table for table in seated) == full


@given(st.integers(min_value=6, max_value=40), st.data())
@settings(max_examples=examples(100), deadline=None)
def test_households_of_two_are_in_different_groups(count: int, data: st.DataObject) -> None:
    players = data.draw(st.permutations(range(1, count + 1)))
    couples = {frozenset(players[at : at + 2]) for at in range(0, data.draw(st.integers(0, count)) // 2 * 2, 2)}
    household = {player: couple - {player} for couple in couples for player in couple}
    entrants = [
        GroupEntrant(player, rating=-player, household=household.get(player, frozenset())) for player in players
    ]
    groups = draw_groups(entrants, TWO_FIVE)
    assert sorted(player for player in chain(*groups) if player is not None) == [*range(1, count + 1)]
    assert not [couple for couple in couples for group in groups if couple <= {*group}]


def test_a_household_moves_to_the_nearest_place_of_another_group() -> None:
    couple = frozenset({4, 5})
    entrants = [
        GroupEntrant(player, rating=-player, household=couple - {player} if player in couple else frozenset())
        for player in range(1, 11)
    ]
    assert draw_groups(entrants, TWO_FIVE) == ((1, 2, 3, 6, 5), (4, 7, 8, 9, 10))


def test_of_a_single_group_a_household_stays_together() -> None:
    entrants = [GroupEntrant(1, rating=2, household=frozenset({2})), GroupEntrant(2, household=frozenset({1}))]
    assert draw_groups(entrants, TWO_SEVEN) == ((1, 2, None, None, None, None, None),)
