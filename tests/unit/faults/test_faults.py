"""Which faults are made in so many runs; `make test-faults` makes hundreds."""

from __future__ import annotations

from random import Random

from tests.faults.__main__ import plan
from tests.faults.points import POINTS, faults
from tests.support.faults.faults import SEED


def test_every_fault_is_made_in_so_many_runs() -> None:
    every = faults()
    chosen = list(plan(len(every), Random(SEED)))
    assert {one[0] for one in chosen} == set(every)
    assert {fault.point for fault in every} == {"", *POINTS}
    assert all(len({fault.point for fault in one}) == len(one) for one in chosen)
