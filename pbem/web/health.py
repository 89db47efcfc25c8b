"""For machines that watch: alive, ready, and figures."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import LogEntry, Match, Notice, Pulse, Submission
from pbem.play import rates, submissions
from pbem.web.here import here, table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prometheus_client.core import Metric

    from pbem.play.rates import Rate
    from pbem.play.table import Table

pages = Blueprint("health", __name__)

LATE = timedelta(seconds=60)
PATIENCE = 1.0


@pages.get("/healthz")
def alive() -> dict[str, str]:
    """Tell that this process answers."""
    return {"status": "ok"}


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Tell whether moves can be taken, which needs the database; broker and worker may be late."""
    try:
        with table() as at:
            pulse = at.session.get(Pulse, "worker")
            worker = "ok" if pulse and at.now - pulse.at < LATE else "late"
    except SQLAlchemyError:
        return jsonify(database="unreachable"), 503
    return jsonify(database="ok", broker=_broker(), worker=worker), 200


@pages.get("/metrics")
def metrics() -> Response:
    """Give the service's figures in Prometheus' text format."""
    registry = CollectorRegistry()
    with table() as at:
        _by(at, registry, "pbem_matches", "Matches by state", Match.state)
        _by(at, registry, "pbem_submissions", "Submissions by status", Submission.status)
        _by(at, registry, "pbem_notices", "Notices by state", Notice.state)
        Gauge("pbem_log_entries", "Moves and events kept", registry=registry).set(
            at.session.scalar(select(func.count()).select_from(LogEntry)) or 0
        )
        registry.register(_Mails(rates.rates(at)))
        oldest = at.session.scalar(
            select(func.min(Submission.received_at)).where(submissions.overlooked(at.now, at.now))
        )
        Gauge("pbem_oldest_pending_seconds", "Age of the oldest submission to be judged", registry=registry).set(
            (at.now - oldest).total_seconds() if oldest else 0
        )
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _by(at: Table, registry: CollectorRegistry, name: str, meaning: str, column: Any) -> None:
    gauge = Gauge(name, meaning, [column.key], registry=registry)
    for value, count in at.session.execute(select(column, func.count()).group_by(column)):
        gauge.labels(value).set(count)


class _Mails(Collector):
    """What became of the mails to each domain."""

    def __init__(self, found: list[Rate]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        """Give the figures of all domains."""
        mails = CounterMetricFamily("pbem_mails", "Mails by domain and result", labels=["domain", "result"])
        waiting = GaugeMetricFamily("pbem_mails_waiting", "Mails that wait, by domain", labels=["domain"])
        for rate in self._found:
            for result in rates.RESULTS:
                mails.add_metric([rate.domain, result], getattr(rate, result))
            waiting.add_metric([rate.domain], rate.waiting)
        return [mails, waiting]


def _broker() -> str:
    try:
        with Redis.from_url(
            here().config.broker_url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as broker:
            broker.ping()
    except (RedisError, OSError, ValueError):
        return "late"
    return "ok"
