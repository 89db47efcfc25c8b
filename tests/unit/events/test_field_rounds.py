"""Laws of the rounds of a field, however many enter it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.events.field_rounds import Round, count_tables, field_rounds
from tests.support.examples import examples

many = settings(max_examples=examples(200), deadline=None)
fields = st.tuples(st.integers(1, 70), st.integers(2, 4), st.integers(1, 5))


def played(field: tuple[int, int, int]) -> tuple[Round, ...]:
    entrants, seats, rounds = field
    return field_rounds(range(entrants), seats, rounds)


@many
@given(fields)
def test_in_each_round_everybody_sits_at_one_table(field: tuple[int, int, int]) -> None:
    for turn in played(field):
        assert sorted(player for table in turn for player in table if player is not None) == [*range(field[0])]


@many
@given(fields)
def test_nobody_meets_anybody_twice(field: tuple[int, int, int]) -> None:
    tables = [table for turn in played(field) for table in turn]
    people = [[player for player in table if player is not None] for table in tables]
    met = Counter(frozenset(pair) for table in people for pair in combinations(table, 2))
    assert set(met.values()) <= {1}


@many
@given(fields)
def test_each_has_the_seats_equally_often_as_far_as_the_rounds_go(field: tuple[int, int, int]) -> None:
    entrants, seats, rounds = field
    had = Counter((player, seat) for turn in played(field) for table in turn for seat, player in enumerate(table))
    least = rounds // seats
    assert all(had[player, seat] in {least, least + 1} for player in range(entrants) for seat in range(seats))


@many
@given(st.integers(1, 70), st.integers(2, 4))
def test_without_a_number_of_rounds_everybody_has_each_seat_once(entrants: int, seats: int) -> None:
    had = Counter(
        (player, seat)
        for turn in field_rounds(range(entrants), seats)
        for table in turn
        for seat, player in enumerate(table)
    )
    assert all(had[player, seat] == 1 for player in range(entrants) for seat in range(seats))


@many
@given(fields)
def test_all_tables_of_all_rounds_are_full(field: tuple[int, int, int]) -> None:
    entrants, seats, rounds = field
    turns = played(field)
    assert len(turns) == rounds
    assert {len(turn) for turn in turns} == {count_tables(entrants, seats, rounds)}
    assert {len(table) for turn in turns for table in turn} == {seats}


@many
@given(fields)
def test_no_table_has_two_robots_if_no_more_than_the_tables_are_needed(field: tuple[int, int, int]) -> None:
    entrants, seats, rounds = field
    tables = count_tables(entrants, seats, rounds)
    if tables * seats - entrants <= tables:
        assert all(table.count(None) <= 1 for turn in played(field) for table in turn)


@pytest.mark.parametrize(
    ("entrants", "seats", "tables"), [(4, 2, 2), (5, 2, 3), (6, 3, 3), (12, 3, 5), (18, 3, 6), (20, 4, 5), (24, 4, 7)]
)
def test_a_field_has_as_few_tables_as_meeting_once_allows(entrants: int, seats: int, tables: int) -> None:
    assert count_tables(entrants, seats, seats) == tables
