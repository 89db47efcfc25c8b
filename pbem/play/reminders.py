"""Reminders: when a player is reminded of a move that is due, by how much time is left and by their own hour."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Deadline, Player

NEVER, ONCE = "never", "once"
LAST_PART = 4
"""Somebody is reminded when one in so many parts of their time is left."""


def at(row: Deadline, player: Player) -> datetime | None:
    """Give when a player is to be reminded of a move that is due; None where they are not, or were already."""
    if row.due_at is None or row.reminded_at is not None or player.reminders == NEVER:
        return None
    return row.due_at - (row.due_at - row.asked_at) / LAST_PART
