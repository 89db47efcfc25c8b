"""Coordinates of pictures, written as short as possible."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def number(value: float, places: int = 1) -> str:
    """Format a coordinate rounded, without trailing zeros."""
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
