"""Metrics in Prometheus' text format, read-only and the same from every web process.

Events are counted in all processes and added up in the database; gauges are queried for each request.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select

import pbem
from pbem.db.models import MetricValue
from pbem.play.upkeep import gauges
from pbem.telemetry.metrics import DOMAIN_MAILS, METRICS, SUM_LABEL
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from prometheus_client.core import Metric

    from pbem.play.core.context import Context
    from pbem.telemetry.metrics import MetricSpec

    Samples = Mapping[tuple[str, ...], float]

pages = Blueprint("metrics", __name__)


@pages.get("/metrics")
def metrics() -> Response:
    """Return the metrics of the service."""
    registry = CollectorRegistry()
    with transaction() as ctx:
        found = [*_stored_metrics(ctx), *_current_gauges(ctx)]
    registry.register(_Collector(found))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Collector(Collector):
    """Collector of metrics that have been loaded already."""

    def __init__(self, found: list[Metric]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        """Return all metrics."""
        return self._found


def _stored_metrics(ctx: Context) -> Iterator[Metric]:
    """Yield the counters and histograms."""
    stored: dict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
    rows = select(MetricValue.name, MetricValue.labels, MetricValue.value).where(MetricValue.name != DOMAIN_MAILS.name)
    for name, labels, value in ctx.session.execute(rows):
        stored[name][tuple(labels)] = value
    stored[DOMAIN_MAILS.name] = _domain_mails(ctx)
    for spec in METRICS:
        yield _histogram(spec, stored[spec.name]) if spec.bounds else _counter(spec, stored[spec.name])


def _domain_mails(ctx: Context) -> dict[tuple[str, ...], float]:
    """Return the results of mails to the domains that get most mail."""
    ours, domain = MetricValue.name == DOMAIN_MAILS.name, MetricValue.labels[1]
    most = (
        select(domain)
        .where(ours)
        .group_by(domain)
        .order_by(func.sum(MetricValue.value).desc())
        .limit(gauges.MAX_DOMAINS)
    )
    rows = ctx.session.execute(select(MetricValue.labels, MetricValue.value).where(ours, domain.in_(most)))
    return {tuple(labels): value for labels, value in rows}


def _counter(spec: MetricSpec, samples: Samples) -> Metric:
    family = CounterMetricFamily(spec.name, spec.description, labels=spec.labels)
    for labels, value in (dict.fromkeys(spec.initial_labels(), 0.0) | dict(samples)).items():
        family.add_metric(labels, value)
    return family


def _histogram(spec: MetricSpec, samples: Samples) -> Metric:
    family = HistogramMetricFamily(spec.name, spec.description, labels=spec.labels)
    ends = [*map(str, spec.bounds), "+Inf"]
    for labels in sorted({*spec.initial_labels(), *(each[:-1] for each in samples)}):
        rising = accumulate(samples.get((*labels, str(bucket)), 0.0) for bucket in range(len(ends)))
        family.add_metric(
            labels, list(zip(ends, rising, strict=True)), sum_value=samples.get((*labels, SUM_LABEL), 0.0)
        )
    return family


def _current_gauges(ctx: Context) -> Iterator[Metric]:
    """Yield the current state."""
    yield _gauge("pbem_info", "Version of the service", {pbem.__version__: 1}, "version")
    queues, tables = gauges.queues(ctx), gauges.table_sizes(ctx)
    yield _gauge("pbem_waiting", "Items due by now", {name: one.waiting for name, one in queues.items()})
    oldest = {name: one.oldest for name, one in queues.items()}
    yield _gauge("pbem_oldest_waiting_seconds", "Seconds that the oldest due item has waited", oldest)
    yield _gauge(
        "pbem_heartbeat_age_seconds", "Seconds since the last heartbeat of a part", gauges.heartbeat_ages(ctx), "part"
    )
    yield _gauge("pbem_disk_full", "Disks that are full, so that nothing is accepted", gauges.full_disks(ctx), "whose")
    yield _gauge("pbem_matches", "Matches by state", gauges.count_matches(ctx), "state")
    newest = gauges.newest_backup_at(ctx)
    yield GaugeMetricFamily(
        "pbem_newest_backup_timestamp_seconds",
        "Time of the newest backup; 0 if there is none",
        newest.timestamp() if newest else 0.0,
    )
    yield GaugeMetricFamily(
        "pbem_domains_refusing", "Domains that refuse our mail", gauges.count_throttled_domains(ctx)
    )
    outages, seconds = gauges.outage_totals(ctx)
    yield CounterMetricFamily("pbem_outages", "Outages during which clocks were paused", outages)
    yield CounterMetricFamily("pbem_outage_seconds", "Total seconds of these outages", seconds)
    yield _gauge("pbem_rows", "Approximate rows by table", {name: rows for name, (rows, _) in tables.items()}, "table")
    yield _gauge(
        "pbem_table_bytes",
        "Bytes of a table with its indexes",
        {name: size for name, (_, size) in tables.items()},
        "table",
    )


def _gauge(name: str, meaning: str, found: Mapping[str, float], label: str = "queue") -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for value, figure in found.items():
        family.add_metric([value], figure)
    return family
