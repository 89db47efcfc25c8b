"""Thinking: when the service plays for a seat, so that the moment of a move tells nobody how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.table import Table


def at(table: Table, match: Match, holder: Holder, row: Deadline) -> datetime | None:  # noqa: ARG001
    """Give when the service plays for a seat that was just asked for a move; None where it does not.

    A bot's moves come at once, whatever they are.
    """
    return table.now if holder.player.bot else None
