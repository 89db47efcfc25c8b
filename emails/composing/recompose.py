"""A mail that was sent, written once more as it was: what its reader had chosen then is kept with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from emails.composing.compose import compose
from emails.composing.digest import compose_digest
from pbem.db.models import Notice
from pbem.play.players.suppressions import SECURITY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emails.composing.compose import Mail
    from pbem.play.core.context import Context

CHOSEN = ("language", "zone", "link_only", "replay_along", "text_first", "distinct_colours")
"""What a player chooses that shapes their mails."""


def sent_as(together: Sequence[Notice]) -> list[dict[str, Any] | None]:
    """Give what is to be kept of how each notice of a mail was written; None where the mail is not to be kept.

    A mail that lets its reader in is not: it would be a key that lies about. The first of a digest names them all.
    """
    return [_kept(notice, together) if notice.kind not in SECURITY else None for notice in together]


def recompose(ctx: Context, notice: Notice) -> Mail | None:
    """Write a mail as it was sent, but for its signature; None for one that went with the digest of another."""
    kept = notice.sent_as or {}
    if "with" in kept:
        return None
    numbers = kept.get("together", [notice.id])
    together = list(ctx.session.scalars(select(Notice).where(Notice.id.in_(numbers)).order_by(Notice.id)))
    attempt = ctx.session.begin_nested()
    try:
        with ctx.session.no_autoflush:
            for one in together:
                _as_then(one)
            return compose(ctx, notice) if len(numbers) == 1 else compose_digest(ctx, together)
    finally:
        # What the player has chosen since stays; only this mail was written by what was so then.
        attempt.rollback()


def _kept(notice: Notice, together: Sequence[Notice]) -> dict[str, Any]:
    lead, *others = together
    if notice.holder is None:
        return {}
    player = notice.holder.player
    kept: dict[str, Any] = {name: getattr(player, name) for name in CHOSEN} | {"generation": notice.holder.generation}
    if notice is not lead:
        return kept | {"with": lead.id}
    return kept | {"together": [one.id for one in together]} if others else kept


def _as_then(notice: Notice) -> None:
    if notice.holder is not None and notice.sent_as:
        notice.holder.generation = notice.sent_as["generation"]
        for name in CHOSEN:
            # What could not be chosen yet when it was written was not chosen.
            setattr(notice.holder.player, name, notice.sent_as.get(name, False))
