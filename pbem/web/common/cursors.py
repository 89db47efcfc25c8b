"""Pagination cursors in URLs: the match that the next page of a list continues after."""

from __future__ import annotations

from datetime import datetime


def encode(at: datetime, match: str) -> str:
    """Format a cursor: when something happened to a match, and the match."""
    return f"{at.isoformat()}~{match}"


def decode(typed: str) -> tuple[datetime, str] | None:
    """Parse a cursor; None, for the beginning of the list, if it is not valid."""
    moment, _tilde, match = typed.partition("~")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    return (at, match) if at.tzinfo and match.isalnum() and match.isascii() else None
