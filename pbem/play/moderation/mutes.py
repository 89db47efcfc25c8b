"""Mutes: players whose words another does not want to be told, at whatever table they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Mute

if TYPE_CHECKING:
    from sqlalchemy import BindParameter, Select

    from pbem.play.core.context import Context


def mute(ctx: Context, player: int, muted: int) -> None:
    """Tell a player nothing more of what another says; a second time changes nothing."""
    row = {"player_id": player, "muted_id": muted, "at": ctx.now}
    ctx.session.execute(insert(Mute).values(row).on_conflict_do_nothing())


def unmute(ctx: Context, player: int, muted: int) -> None:
    """Tell a player again what another says."""
    ctx.session.execute(delete(Mute).where(Mute.player_id == player, Mute.muted_id == muted))


def of(player: int | BindParameter[int]) -> Select[int]:
    """Look for the players whom somebody has muted."""
    return select(Mute.muted_id).where(Mute.player_id == player)


def muted(ctx: Context, player: int) -> set[int]:
    """Give the players whom somebody has muted."""
    return set(ctx.session.scalars(of(player)))
