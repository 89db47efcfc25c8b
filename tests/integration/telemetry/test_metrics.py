"""Counting in a process, and adding up."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, select

from pbem.db import metric_store
from pbem.db.models import MetricValue
from pbem.telemetry import metrics
from pbem.telemetry.metrics import MetricSpec
from tests.support.live_service import until

if TYPE_CHECKING:
    from tests.support.house import House

NOBODY = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
SHORT_OR_LONG = MetricSpec("test_seconds", "A histogram", bounds=(1.0, 2.0))


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    metrics.drain()


def test_a_value_belongs_to_the_first_bucket_that_does_not_end_below_it() -> None:
    for value in (0.5, 1.0, 1.5, 2.0, 7.0):
        metrics.observe(SHORT_OR_LONG, value)
    assert metrics.drain() == {
        ("test_seconds", ("0",)): 2.0,
        ("test_seconds", ("1",)): 2.0,
        ("test_seconds", ("2",)): 1.0,
        ("test_seconds", ("sum",)): 12.0,
    }
    assert metrics.drain() == {}


def test_many_threads_count_without_losing_any() -> None:
    def work() -> None:
        for _ in range(1000):
            metrics.count(metrics.REPLAYS, "page")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert metrics.drain() == {(metrics.REPLAYS.name, ("page",)): 8000.0}


def test_where_the_database_is_away_figures_are_kept_for_later(house: House, caplog: pytest.LogCaptureFixture) -> None:
    metrics.count(metrics.REPLAYS, "page")
    away = create_engine(NOBODY, connect_args={"connect_timeout": 1})
    metric_store.flush(away)
    assert "could not store metrics" in caplog.text
    metric_store.flush(house.engine)
    metric_store.flush(house.engine)
    assert house.rows(select(MetricValue.name, MetricValue.labels, MetricValue.value)) == [
        (metrics.REPLAYS.name, ["page"], 1.0)
    ]


def test_a_process_adds_again_and_again_and_at_its_end(house: House) -> None:
    end = metric_store.start_flushing(house.engine, seconds=0.01)
    for times in (1.0, 2.0):
        metrics.count(metrics.REPLAYS, "file")
        until(partial(added, house, times))
    end()
    metrics.count(metrics.REPLAYS, "file")
    end()
    assert added(house, 3.0)


def added(house: House, times: float) -> bool:
    return house.rows(select(MetricValue.value)) == [(times,)]
