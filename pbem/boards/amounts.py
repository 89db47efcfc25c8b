"""Amounts in sentences: "one point", "no cards", "14 pyramids"."""

from __future__ import annotations

from pbem.i18n import _, several


def points(count: int) -> str:
    """Format a number of points, which may be negative."""
    if count < 0:
        return _("minus {points}", points=points(-count))
    return several("one point", "{number} points", count)


def cards(count: int) -> str:
    """Format a number of cards."""
    return several("one card", "{number} cards", count)


def pyramids(count: int) -> str:
    """Format a number of pyramids."""
    return several("one pyramid", "{number} pyramids", count)


def nulls(count: int) -> str:
    """Format a number of nulls."""
    return several("one null", "{number} nulls", count)


def tricks(count: int) -> str:
    """Format a number of tricks."""
    return several("one trick", "{number} tricks", count)
