"""What tests of tallies share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.archive import statistics
from pbem.play.archive.game_statistics import SECONDS_PER_DAY, SECONDS_PER_HOUR
from tests.support.ended import NOON, ended

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House


def refresh(house: House, now: datetime = NOON + timedelta(days=99)) -> None:
    """Do what beat has done every quarter of an hour."""
    with house.transaction(now) as ctx:
        statistics.mark_stale(ctx)
    more = True
    while more:
        with house.transaction(now) as ctx:
            more = statistics.recompute_batch(ctx)


def handful(house: House) -> None:
    """Write down a few matches of two, one of them private, and what does not count."""
    ended(house, "Ann", "Bob", scores=[31, 18], moves=20, days=2, thought=[(1, 30), (2, 2 * SECONDS_PER_HOUR)])
    ended(
        house,
        "Ann",
        "Bob",
        scores=[12, 25],
        winners=[2],
        moves=30,
        days=4,
        thought=[(1, 5 * SECONDS_PER_DAY), (2, SECONDS_PER_HOUR)],
    )
    ended(house, "Bob", "Ann", scores=[20, 20], winners=[1, 2], moves=50, days=9)
    ended(house, "Ann", "Cyd", ending="resigned", winners=[2], moves=3)
    ended(house, "Ann", "Cyd", ending="agreed", winners=[1, 2], moves=3)
    ended(house, "Ann", "Bob", scores=[90, 1], public=False)
    first = ended(house, "Ann", "Bob", ending="aborted", winners=[], moves=0)
    # What was dealt elsewhere, played on from another, called off before it began, or is not over.
    ended(house, "Ann", "Bob", scores=[77, 1], imported_at=NOON)
    ended(house, "Ann", "Bob", scores=[77, 1], forked_from_id=first)
    ended(house, "Ann", "Bob", ending="aborted", seed=None)
    ended(house, "Ann", "Bob", state="running", result=None, ended_at=None)
