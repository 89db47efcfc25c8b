"""Mutes: players whose messages another player does not want to see, in any match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Mute

if TYPE_CHECKING:
    from sqlalchemy import BindParameter, Select

    from pbem.play.core.context import Context


def mute(ctx: Context, player: int, muted: int) -> None:
    """Hide a player's messages from another one; idempotent."""
    row = {"player_id": player, "muted_id": muted, "muted_at": ctx.now}
    ctx.session.execute(insert(Mute).values(row).on_conflict_do_nothing())


def unmute(ctx: Context, player: int, muted: int) -> None:
    """Show a player's messages to another one again."""
    ctx.session.execute(delete(Mute).where(Mute.player_id == player, Mute.muted_id == muted))


def select_muted(player: int | BindParameter[int]) -> Select[int]:
    """Select the ids of the players whom a player has muted."""
    return select(Mute.muted_id).where(Mute.player_id == player)


def muted_ids(ctx: Context, player: int) -> set[int]:
    """Return the ids of the players whom a player has muted."""
    return set(ctx.session.scalars(select_muted(player)))
