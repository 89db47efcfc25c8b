"""Absences: the hours in which a player sleeps, and the days on which they are away, while their clocks stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import deadlines

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.table import Table


def keep_quiet(table: Table, player: Player, hours: tuple[int, int] | None) -> None:
    """Keep the hours of a player's zone in which no deadline falls; None where any hour will do."""
    player.quiet_from, player.quiet_until = hours or (0, 0)
    deadlines.look_again(table, deadlines.of_player(player.id))
