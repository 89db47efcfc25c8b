"""Pages about a submission that is not judged yet: the browser loads them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

FIRST_RELOAD_SECONDS = 0.2
MAX_RELOAD_SECONDS = 30.0


def reload_seconds(sent_at: datetime, now: datetime) -> float:
    """Return after how many seconds to load a page again: as long as its visitor has waited already, within bounds."""
    return min(max((now - sent_at).total_seconds(), FIRST_RELOAD_SECONDS), MAX_RELOAD_SECONDS)
