"""What operators did to a player's account, as far as the player was told by mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import cast, select
from sqlalchemy.dialects.postgresql import TEXT

from pbem.db.models import AuditLogEntry
from pbem.play.core.actors import PLAYER

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

DISCLOSED_ACTS = frozenset({"rename", "merge"})
"""Acts on an account whose reason its owner is told; the reason of a ban is for operators only."""


@dataclass(frozen=True, slots=True)
class DisclosedAct:
    """An act as shown to the player concerned, without the operator's name."""

    at: datetime
    act: str
    reason: str


def list_acts(ctx: Context, player: int) -> list[DisclosedAct]:
    """List the acts on a player's account and on those merged into it, oldest first."""
    done = AuditLogEntry.action.in_(DISCLOSED_ACTS), AuditLogEntry.detail["changed"].as_boolean()
    into = AuditLogEntry.detail["into"].as_integer()
    merges = select(AuditLogEntry.target_id).where(
        AuditLogEntry.target_kind == PLAYER, AuditLogEntry.action == "merge", done[1]
    )
    accounts = select(cast(player, TEXT).label("about")).cte("accounts", recursive=True)
    accounts = accounts.union(merges.where(cast(into, TEXT) == accounts.c.about))
    acts = select(AuditLogEntry).where(
        AuditLogEntry.target_kind == PLAYER, AuditLogEntry.target_id.in_(select(accounts.c.about)), *done
    )
    return [
        DisclosedAct(row.acted_at, row.action, row.reason)
        for row in ctx.session.scalars(acts.order_by(AuditLogEntry.id))
    ]
