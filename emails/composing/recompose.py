"""Composes a sent mail again as it was: the preferences that shaped it are stored with its notification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from emails.composing.compose import compose
from emails.composing.digest import compose_digest
from pbem.db.models import OutboxMessage
from pbem.play.core.message_kinds import delivery_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emails.composing.compose import Mail
    from pbem.play.core.context import Context

RENDERING_PREFERENCES = ("language", "time_zone", "link_only", "attach_replay", "text_first", "distinct_colours")
"""Preferences of a player that shape their mails."""


def render_snapshots(together: Sequence[OutboxMessage]) -> list[dict[str, Any] | None]:
    """Return what to store about how each notification of a mail was composed; None if nothing may be stored.

    Nothing is stored of a mail that signs its reader in: the copy could be misused as a key. In a digest, the first
    notification lists all of them.
    """
    return [None if delivery_rules(one.kind).protects_account else _snapshot(one, together) for one in together]


def recompose(ctx: Context, message: OutboxMessage) -> Mail | None:
    """Compose a mail as it was sent, but without its signature; None if it went out in another one's digest."""
    kept = message.render_preferences or {}
    if "with" in kept:
        return None
    numbers = kept.get("together", [message.id])
    together = list(
        ctx.session.scalars(select(OutboxMessage).where(OutboxMessage.id.in_(numbers)).order_by(OutboxMessage.id))
    )
    attempt = ctx.session.begin_nested()
    try:
        with ctx.session.no_autoflush:
            for one in together:
                _restore_snapshot(one)
            return compose(ctx, message) if len(numbers) == 1 else compose_digest(ctx, together)
    finally:
        # Restores the player's current preferences; only this mail uses the old ones.
        attempt.rollback()


def _snapshot(message: OutboxMessage, together: Sequence[OutboxMessage]) -> dict[str, Any]:
    lead, *others = together
    if message.holder is None:
        return {}
    player = message.holder.player
    kept: dict[str, Any] = {name: getattr(player, name) for name in RENDERING_PREFERENCES} | {
        "generation": message.holder.generation
    }
    if message is not lead:
        return kept | {"with": lead.id}
    return kept | {"together": [one.id for one in together]} if others else kept


def _restore_snapshot(message: OutboxMessage) -> None:
    if message.holder is not None and message.render_preferences:
        message.holder.generation = message.render_preferences["generation"]
        for name in RENDERING_PREFERENCES:
            # A preference that did not exist yet when the mail was sent was off.
            setattr(message.holder.player, name, message.render_preferences.get(name, False))
