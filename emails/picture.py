"""Pictures for mails: a drawing rendered to PNG, the same on every machine."""

from __future__ import annotations

from functools import lru_cache

from resvg_py import svg_to_bytes

WIDTH = 600


@lru_cache(maxsize=64)
def png(svg: str) -> bytes:
    """Render a drawing; it needs no fonts, since drawings draw their letters themselves."""
    return bytes(svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff", skip_system_fonts=True))
