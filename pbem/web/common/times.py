"""Moments on pages: short, with the day in full, the time zone and the machine-readable time behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from pbem.play.core import context
from pbem.time_format import format_deadline, format_full_moment, format_moment

if TYPE_CHECKING:
    from datetime import datetime

_TIME = Markup('<time datetime="{}" title="{}">{}</time>')


def moment(at: datetime, zone: str) -> Markup:
    """Render a moment: "Tue 24 Nov 2026, 18:30"."""
    return _element(at, zone, format_moment(at, zone))


def deadline(at: datetime, zone: str) -> Markup:
    """Render a moment that is near, with how far away it is now: "Thu 24 Dec, 18:30 · in 3 days"."""
    return _element(at, zone, format_deadline(at, context.system_time(), zone))


def _element(at: datetime, zone: str, text: str) -> Markup:
    return _TIME.format(at.isoformat(timespec="minutes"), format_full_moment(at, zone), text)
