"""The service itself: heartbeats of its parts, its metrics, and restores from backup."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Identity, Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Heartbeat(Base):
    """Last heartbeat of a part of the service, for /readyz and the operator."""

    __tablename__ = "heartbeats"

    part: Mapped[str] = mapped_column(primary_key=True)
    seen_at: Mapped[datetime]


class MetricValue(Base):
    """Value of a metric with its labels since the service began; every process adds to it periodically."""

    __tablename__ = "metric_values"

    name: Mapped[str] = mapped_column(primary_key=True)
    labels: Mapped[list[str]] = mapped_column(ARRAY(Text), primary_key=True)
    value: Mapped[float]


class Restore(Base):
    """A restore of the database to an older state: everything after `lost_after` is lost.

    Matches are notified in the order of their names; `last_notified_match_id` is the last one notified,
    `notified_count` their number, and `finished_at` is set when all are done.
    """

    __tablename__ = "restores"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    lost_after: Mapped[datetime]
    restored_at: Mapped[datetime]
    last_notified_match_id: Mapped[str] = mapped_column(server_default="")
    notified_count: Mapped[int] = mapped_column(server_default="0")
    finished_at: Mapped[datetime | None]
