"""Places in long lists: behind which match the next page goes on, as it stands in an address."""

from __future__ import annotations

from datetime import datetime


def written(at: datetime, match: str) -> str:
    """Write a place: when something happened to a match, and the match."""
    return f"{at.isoformat()}~{match}"


def read(typed: str) -> tuple[datetime, str] | None:
    """Read a place; what is none is the beginning of the list."""
    moment, _tilde, match = typed.partition("~")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return (at, match) if at.tzinfo and match.isalnum() and match.isascii() else None
