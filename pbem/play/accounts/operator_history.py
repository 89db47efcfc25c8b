"""Acts of operators on a player's account that the player was notified of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import cast, select
from sqlalchemy.dialects.postgresql import TEXT

from pbem.db.models import AuditLogEntry
from pbem.play.core.actors import PLAYER
from pbem.play.core.context import timestamp

if TYPE_CHECKING:
    from pbem.play.core.context import Context

DISCLOSED_ACTS = frozenset({"rename", "merge"})
"""Acts on an account whose reason its owner is shown; the reason of a ban is for operators only."""


def list_acts(ctx: Context, player: int) -> list[dict[str, str]]:
    """List the acts on a player's account and on those merged into it, oldest first, without the operators' names."""
    changed = AuditLogEntry.target_kind == PLAYER, AuditLogEntry.detail["changed"].as_boolean()
    into = AuditLogEntry.detail["into"].as_integer()
    merges = select(AuditLogEntry.target_id).where(AuditLogEntry.action == "merge", *changed)
    accounts = select(cast(player, TEXT).label("about")).cte("accounts", recursive=True)
    accounts = accounts.union(merges.where(cast(into, TEXT) == accounts.c.about))
    disclosed = AuditLogEntry.action.in_(DISCLOSED_ACTS), AuditLogEntry.target_id.in_(select(accounts.c.about))
    acts = ctx.session.scalars(select(AuditLogEntry).where(*disclosed, *changed).order_by(AuditLogEntry.id))
    return [{"at": timestamp(row.acted_at), "act": row.action, "reason": row.reason} for row in acts]
