"""Coordinates, as short as a picture can bear."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def number(value: float, places: int = 1) -> str:
    """Write a coordinate rounded, without a trailing nought."""
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
