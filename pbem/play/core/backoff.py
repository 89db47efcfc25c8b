"""How long to wait before what was not taken elsewhere, a mail or a call, is tried again."""

from __future__ import annotations

from datetime import timedelta

PAUSES = (
    timedelta(seconds=10),
    *(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 480, 960, 1440)),
)
"""How long to wait after each failure; after the last one it is given up."""
