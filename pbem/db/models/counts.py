"""Metrics summed over all processes."""

from __future__ import annotations

from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class MetricValue(Base):
    """Value of a metric with its labels since the service began; every process adds to it periodically."""

    __tablename__ = "metric_values"

    name: Mapped[str] = mapped_column(primary_key=True)
    labels: Mapped[list[str]] = mapped_column(ARRAY(Text), primary_key=True)
    value: Mapped[float]
