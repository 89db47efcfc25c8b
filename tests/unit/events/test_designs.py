"""Designs of groups: every two meet exactly once, and everybody has each seat equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from pbem.events.designs import DESIGNS, Design, tables

ALL = [design for designs in DESIGNS.values() for design in designs]


@pytest.mark.parametrize("design", ALL)
def test_every_two_of_a_group_meet_exactly_once(design: Design) -> None:
    met = Counter(pair for table in tables(design) for pair in combinations(sorted(table), 2))
    assert met == Counter(combinations(range(design.group), 2))


@pytest.mark.parametrize("design", ALL)
def test_everybody_has_each_seat_equally_often(design: Design) -> None:
    seats = Counter((member, seat) for table in tables(design) for seat, member in enumerate(table))
    assert seats == {
        (member, seat): len(design.blocks) for member in range(design.group) for seat in range(design.seats)
    }


@pytest.mark.parametrize("design", ALL)
def test_everybody_plays_as_many_matches_as_the_design_says(design: Design) -> None:
    assert {*Counter(member for table in tables(design) for member in table).values()} == {design.matches}


def test_designs_stand_under_their_number_of_seats_by_size() -> None:
    assert {seats: [(design.seats, design.group) for design in known] for seats, known in DESIGNS.items()} == {
        2: [(2, 5), (2, 7)],
        3: [(3, 7), (3, 13)],
        4: [(4, 13)],
    }
