"""The table of a group: points, tie-breaks, places, what leaving does, and who goes up and down."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.events.designs import DESIGNS, Design, tables
from pbem.events.league_table import (
    Movement,
    Row,
    TableResult,
    leaves_no_results,
    meetings,
    movements,
    next_group,
    standings,
)
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGUN = datetime(2026, 4, 1, 9, tzinfo=UTC)
ANN, BOB, CYD, DEE = 1, 2, 3, 4


def day(number: float) -> datetime:
    return BEGUN + timedelta(days=number)


def won(winner: int, loser: int, at: float = 1) -> TableResult:
    return TableResult((winner, loser), (1, 0), ended_at=day(at))


def drawn(one: int, other: int) -> TableResult:
    return TableResult((one, other), (1, 1), ended_at=day(1))


def places(rows: Sequence[Row]) -> dict[int, int | None]:
    return {row.player: row.place for row in rows}


def points(rows: Sequence[Row]) -> dict[int, float]:
    return {row.player: row.points for row in rows}


def test_a_win_is_a_point_and_a_draw_is_half_of_one() -> None:
    rows = standings([ANN, BOB, CYD], [won(ANN, BOB), drawn(BOB, CYD)])
    assert points(rows) == {ANN: 1, BOB: 0.5, CYD: 0.5}


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((9, 5, 1), [2, 1, 0]), ((9, 9, 1), [1.5, 1.5, 0]), ((9, 1, 1), [2, 0.5, 0.5]), ((4, 3, 2, 1), [3, 2, 1, 0])],
)
def test_at_a_table_of_several_each_one_who_is_worse_is_a_point(scores: tuple[int, ...], expected: list[float]) -> None:
    players = [*range(1, len(scores) + 1)]
    rows = standings(players, [TableResult(tuple(players), scores, ended_at=day(1))])
    assert [points(rows)[player] for player in players] == expected


@pytest.mark.parametrize(
    "result",
    [
        TableResult((ANN, BOB)),
        TableResult((ANN, None), (1, 0), ended_at=day(1), counts=False),
        TableResult((ANN, BOB), (1, 0), ended_at=day(1), counts=False),
    ],
)
def test_what_is_not_over_or_does_not_count_is_worth_nothing(result: TableResult) -> None:
    assert [(row.points, row.meetings, row.place) for row in standings([ANN, BOB], [result])] == [(0, 0, 1), (0, 0, 1)]


def test_after_points_the_match_between_them_counts() -> None:
    rows = standings([ANN, BOB, CYD, DEE], [won(BOB, ANN), won(ANN, CYD), won(DEE, BOB), won(CYD, DEE), won(ANN, DEE)])
    assert points(rows) == {ANN: 2, BOB: 1, CYD: 1, DEE: 1}
    rows = standings([ANN, BOB, CYD], [won(BOB, ANN), won(ANN, CYD)])
    assert places(rows) == {BOB: 1, ANN: 2, CYD: 3}


def test_then_sonneborn_berger_counts() -> None:
    # Ann and Bob drew; Ann has beaten the better of the other two.
    rows = standings(
        [ANN, BOB, CYD, DEE], [drawn(ANN, BOB), won(ANN, CYD), won(BOB, DEE), won(CYD, DEE), won(CYD, BOB)]
    )
    assert points(rows) == {ANN: 1.5, BOB: 1.5, CYD: 2, DEE: 0}
    assert {row.player: row.tie_break for row in rows} == {ANN: 2.75, BOB: 0.75, CYD: 1.5, DEE: 0}
    assert places(rows) == {CYD: 1, ANN: 2, BOB: 3, DEE: 4}


def test_where_several_play_margins_count_instead() -> None:
    tied = TableResult((ANN, BOB, CYD), (2, 2, 0), (10, 10, 1), day(1)), TableResult(
        (ANN, DEE, 5), (2, 1, 0), (8, 7, 3), day(1)
    ), TableResult((BOB, 6, 7), (2, 1, 0), (9, 2, 1), day(1))  # fmt: skip
    rows = standings([*range(1, 8)], tied)
    assert points(rows)[ANN] == points(rows)[BOB] == 3.5
    assert {row.player: row.tie_break for row in rows[:2]} == {ANN: 15, BOB: 24}
    assert (places(rows)[BOB], places(rows)[ANN]) == (1, 2)


def test_a_match_without_points_of_the_game_has_no_margin() -> None:
    rows = standings([ANN, BOB, CYD], [TableResult((ANN, BOB, CYD), (1, 1, 0), None, day(1))])
    assert {row.tie_break for row in rows} == {0}


def test_then_wins_count_and_equal_ones_share_a_place() -> None:
    # Ann and Bob: equal points, nothing between them, equal tie-breaks.
    draws = [drawn(ANN, CYD), drawn(ANN, DEE), won(BOB, CYD), won(DEE, BOB)]
    rows = standings([ANN, BOB, CYD, DEE], draws)
    assert points(rows) == {ANN: 1, BOB: 1, CYD: 0.5, DEE: 1.5}
    ann, bob = (next(row for row in rows if row.player == player) for player in (ANN, BOB))
    assert (ann.wins, bob.wins) == (0, 1)
    level = standings([ANN, BOB, CYD], [won(ANN, CYD), won(BOB, CYD)])
    assert places(level) == {ANN: 1, BOB: 1, CYD: 3}


def test_who_leaves_before_half_of_their_matches_are_over_leaves_no_results() -> None:
    results = [won(ANN, BOB), TableResult((ANN, CYD)), TableResult((ANN, DEE)), won(CYD, DEE)]
    assert leaves_no_results(ANN, results, day(2))
    rows = standings([ANN, BOB, CYD, DEE], results, {ANN: day(2)})
    assert points(rows) == {ANN: 0, BOB: 0, CYD: 1, DEE: 0}
    assert (rows[-1].player, rows[-1].place, rows[-1].has_left) == (ANN, None, True)


def test_who_leaves_later_has_lost_what_is_not_over() -> None:
    results = [won(ANN, BOB), TableResult((ANN, CYD))]
    assert not leaves_no_results(ANN, results, day(2))
    rows = standings([ANN, BOB, CYD], results, {ANN: day(2)})
    assert points(rows) == {ANN: 1, BOB: 0, CYD: 1}


def test_friendly_matches_make_no_half() -> None:
    friendly = TableResult((ANN, None), (1, 0), ended_at=day(1), counts=False)
    assert leaves_no_results(ANN, [friendly, TableResult((ANN, BOB))], day(2))


def test_of_two_who_leave_the_first_one_has_lost() -> None:
    results = [won(ANN, CYD), won(BOB, CYD), TableResult((ANN, BOB))]
    rows = standings([ANN, BOB, CYD], results, {ANN: day(3), BOB: day(2)})
    assert points(rows) == {ANN: 2, BOB: 1, CYD: 0}


def test_at_a_table_with_a_leaver_the_others_count_among_themselves() -> None:
    result = TableResult((ANN, BOB, CYD), (9, 5, 1), (9, 5, 1), day(9))
    assert points(standings([ANN, BOB, CYD], [result], {ANN: day(1)})) == {ANN: 0, BOB: 1, CYD: 0}


def results_of(design: Design, ends: Sequence[float], order: Sequence[int]) -> list[TableResult]:
    """Return the matches of a group, each over on some day, with some order of the members."""
    return [
        TableResult(table, tuple(float(order[member]) for member in table), ended_at=day(end))
        for table, end in zip(tables(design), ends, strict=True)
    ]


@given(st.sampled_from([design for designs in DESIGNS.values() for design in designs]), st.data())
@settings(max_examples=examples(200), deadline=None)
def test_nobody_has_more_or_fewer_decided_meetings_than_others(design: Design, data: st.DataObject) -> None:
    members = [*range(design.group)]
    count = len(tables(design))
    ends = data.draw(st.lists(st.integers(0, 100), min_size=count, max_size=count))
    left = data.draw(st.dictionaries(st.sampled_from(members), st.integers(0, 101).map(day), max_size=design.group))
    results = results_of(design, ends, data.draw(st.permutations(members)))
    rows = standings(members, results, left)
    staying = [row.player for row in rows if row.place is not None]
    assert {row.meetings for row in rows if row.place is not None} <= {len(staying) - 1}
    met = Counter(frozenset(one[:2]) for one in meetings(staying, results, left))
    assert met == Counter(map(frozenset, combinations(staying, 2)))
    assert sum(row.points for row in rows) == len(staying) * (len(staying) - 1) / 2
    gone = {row.player for row in rows if row.place is None}
    assert gone == {player for player in left if leaves_no_results(player, results, left[player])}


@given(st.data())
@settings(max_examples=examples(100), deadline=None)
def test_places_follow_points_and_no_place_is_left_out(data: st.DataObject) -> None:
    design = DESIGNS[2][0]
    results = [
        TableResult(table, data.draw(st.sampled_from([(1, 0), (0, 1), (1, 1)])), ended_at=day(1))
        for table in tables(design)
    ]
    rows = standings([*range(design.group)], results)
    found = [row.place or 0 for row in rows]
    assert found == [sum(other.key < row.key for other in rows) + 1 for row in rows]
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)


def test_the_first_two_go_up_and_the_last_two_down() -> None:
    rows = [Row(player, player, meetings=4) for player in range(1, 6)]
    up, stays, down = Movement.UP, Movement.STAYS, Movement.DOWN
    assert [*movements(rows, 2, 3).values()] == [up, up, stays, down, down]
    assert [*movements(rows, 1, 3).values()] == [stays, stays, stays, down, down]
    assert [*movements(rows, 3, 3).values()] == [up, up, stays, stays, stays]
    assert [*movements(rows, 1, 1).values()] == [stays] * 5


def test_a_shared_place_moves_all_or_nobody() -> None:
    shared = [Row(player, place, meetings=4) for player, place in ((1, 1), (2, 2), (3, 2), (4, 4), (5, 4))]
    assert [*movements(shared, 2, 3).values()] == [*[Movement.UP] * 3, *[Movement.DOWN] * 2]
    level = [Row(player, place, meetings=4) for player, place in ((1, 1), (2, 2), (3, 3), (4, 3), (5, 3))]
    assert [*movements(level, 2, 3).values()] == [*[Movement.UP] * 2, *[Movement.STAYS] * 3]


def test_while_no_meeting_is_decided_nobody_goes_up_or_down() -> None:
    assert {*movements([Row(player, 1) for player in range(1, 6)], 2, 3).values()} == {Movement.STAYS}


def test_in_a_group_of_few_nobody_goes_up_and_down() -> None:
    assert movements([Row(ANN, 1, meetings=1), Row(BOB, 2, meetings=1), Row(CYD, None)], 2, 3) == {
        ANN: Movement.UP,
        BOB: Movement.UP,
    }


def test_a_movement_leads_to_a_group() -> None:
    assert [next_group(2, one) for one in (Movement.UP, Movement.STAYS, Movement.DOWN)] == [1, 2, 3]
