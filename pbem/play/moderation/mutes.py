"""Mutes: players whose words another does not want to be told, at whatever table they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Mute

if TYPE_CHECKING:
    from sqlalchemy import BindParameter, Select

    from pbem.play.core.context import Table


def mute(table: Table, player: int, muted: int) -> None:
    """Tell a player nothing more of what another says; a second time changes nothing."""
    row = {"player_id": player, "muted_id": muted, "at": table.now}
    table.session.execute(insert(Mute).values(row).on_conflict_do_nothing())


def unmute(table: Table, player: int, muted: int) -> None:
    """Tell a player again what another says."""
    table.session.execute(delete(Mute).where(Mute.player_id == player, Mute.muted_id == muted))


def of(player: int | BindParameter[int]) -> Select[int]:
    """Look for the players whom somebody has muted."""
    return select(Mute.muted_id).where(Mute.player_id == player)


def muted(table: Table, player: int) -> set[int]:
    """Give the players whom somebody has muted."""
    return set(table.session.scalars(of(player)))
