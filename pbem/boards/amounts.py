"""How many of what, as sentences say it: "one point", "no cards", "14 pyramids"."""

from __future__ import annotations

from pbem.i18n import _, several


def points(count: int) -> str:
    """Say how many points, which may be fewer than none."""
    if count < 0:
        return _("minus {points}", points=points(-count))
    return several("one point", "{number} points", count)


def cards(count: int) -> str:
    """Say how many cards."""
    return several("one card", "{number} cards", count)


def pyramids(count: int) -> str:
    """Say how many pyramids."""
    return several("one pyramid", "{number} pyramids", count)


def nulls(count: int) -> str:
    """Say how many nulls."""
    return several("one null", "{number} nulls", count)


def tricks(count: int) -> str:
    """Say how many tricks."""
    return several("one trick", "{number} tricks", count)
