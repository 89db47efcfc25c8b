"""Laws of comparing the tables that played one deal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.events.deal_scores import SeatScore, TableResult, compare, margins, standings
from tests.support.examples import examples

many = settings(max_examples=examples(200), deadline=None)


@st.composite
def fields(draw: st.DrawFn, fewest: int = 2) -> list[TableResult]:
    """Return tables that were all played to their end."""
    seats = draw(st.integers(2, 4))
    points = st.lists(st.integers(-20, 20), min_size=seats, max_size=seats).map(tuple)
    return [TableResult(one) for one in draw(st.lists(points, min_size=fewest, max_size=7))]


def scored(tables: list[TableResult]) -> list[tuple[SeatScore, ...]]:
    found = compare(tables)
    assert found is not None
    return [tuple(seat for seat in table if seat) for table in found if table]


def test_a_seat_is_compared_with_the_same_seat_elsewhere() -> None:
    first, second, third = scored([TableResult((9, 3, 3)), TableResult((6, 6, 0)), TableResult((3, 3, 3))])
    assert first[0] == SeatScore(Fraction(6), Fraction(6) - Fraction(3, 2), Fraction(100))
    assert [table[0].percent for table in (second, third)] == [50, 0]
    assert [table[1].percent for table in (first, second, third)] == [0, 100, 50]


@many
@given(fields())
def test_the_scores_of_each_seat_add_up_to_0(tables: list[TableResult]) -> None:
    assert {sum(seat.score for seat in column) for column in zip(*scored(tables), strict=True)} == {0}


@many
@given(fields())
def test_the_per_cents_of_each_seat_are_50_on_average(tables: list[TableResult]) -> None:
    columns = [*zip(*scored(tables), strict=True)]
    assert {sum(seat.percent for seat in column) / len(tables) for column in columns} == {50}


@many
@given(fields())
def test_a_margin_in_a_seat_decides_the_order_of_its_scores_and_per_cents(tables: list[TableResult]) -> None:
    for column in zip(*scored(tables), strict=True):
        ordered = sorted(column, key=lambda seat: seat.margin)
        assert [seat.score for seat in ordered] == sorted(seat.score for seat in column)
        assert [seat.percent for seat in ordered] == sorted(seat.percent for seat in column)


@many
@given(fields(), st.data())
def test_a_table_that_was_not_played_to_its_end_changes_nothing_for_others(
    tables: list[TableResult], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(tables)))
    more = compare([*tables[:at], TableResult(None, {1}), *tables[at:]])
    assert more is not None
    assert (*more[:at], *more[at + 1 :]) == compare(tables)
    assert [score is None for score in more[at] or ()] == [False] + [True] * (len(tables[0].points or ()) - 1)


@many
@given(fields())
def test_a_leaver_has_the_worst_of_all_less_2(tables: list[TableResult]) -> None:
    worst = min(seat.score for table in scored(tables) for seat in table)
    left = scored([replace(tables[0], leavers={2}), *tables[1:]])
    assert left[0][1] == SeatScore(None, worst - 2, Fraction(0))
    assert left[0][0] == scored(tables)[0][0]
    assert left[1:] == scored(tables)[1:]


@many
@given(fields(fewest=1))
def test_one_finished_table_is_not_compared(tables: list[TableResult]) -> None:
    assert compare([tables[0], TableResult(None), TableResult(None, {1})]) is None


def test_tables_that_tie_by_thirds_tie() -> None:
    assert margins((1, 0, 0, 0)) == (Fraction(1), Fraction(-1, 3), Fraction(-1, 3), Fraction(-1, 3))
    assert [table[1].percent for table in scored([TableResult((1, 0, 0, 0)), TableResult((0, 0, 1, 0))])] == [50, 50]


def test_the_table_of_a_field_sums_scores_and_equal_players_share_a_place() -> None:
    won, lost = (SeatScore(None, Fraction(score), Fraction(50 + score)) for score in (3, -3))
    rows = standings({"Ann": [won, lost], "Bob": [lost, None], "Cay": [won, None], "Dan": [lost, won], "Eve": []})
    assert [(row.player, row.place, int(row.score), row.deals) for row in rows] == [
        ("Cay", 1, 3, 1), ("Ann", 2, 0, 2), ("Dan", 2, 0, 2), ("Eve", 4, 0, 0), ("Bob", 5, -3, 1),
    ]  # fmt: skip
    assert [row.percent for row in rows] == [53, 50, 50, 0, 47]


@many
@given(fields())
def test_those_who_sit_in_one_seat_each_share_out_0(tables: list[TableResult]) -> None:
    rows = standings({(at, seat): [one] for at, table in enumerate(scored(tables)) for seat, one in enumerate(table)})
    assert sum(row.score for row in rows) == 0
    assert [row.place for row in rows] == sorted(row.place for row in rows)
