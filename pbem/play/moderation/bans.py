"""Bans: who is shut out, what they are told, and that whatever they send is answered once.

That somebody is shut out stands with them as `Player.banned_at`, so that nobody need look for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Ban
from pbem.i18n import _
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

KIND, LIFTED = "banned", "not banned"
"""The mails that somebody is shut out, and that they are no longer."""


class BannedError(ValueError):
    """Refuses whatever somebody wants who is shut out, in a sentence for them."""


def standing(ctx: Context, player: int) -> Ban | None:
    """Give the ban of a player that stands, if there is one."""
    return ctx.session.scalar(select(Ban).where(Ban.player_id == player, Ban.lifted_at.is_(None)))


def refusal(ctx: Context, player: Player) -> str:
    """Say to somebody that they are shut out, and why; empty where they are not."""
    ban = standing(ctx, player.id) if player.banned_at else None
    return _("You are shut out here: “{sentence}”", sentence=ban.sentence) if ban else ""


def must_not_be(ctx: Context, player: Player) -> None:
    """Raise BannedError for somebody who is shut out."""
    if refused := refusal(ctx, player):
        raise BannedError(refused)


def tell(ctx: Context, ban: Ban, player: Player, email: str) -> None:
    """Owe somebody the mail that they are shut out."""
    _owe(ctx, ban, player, email, f"{KIND} {ban.id}")


def answer(ctx: Context, player: Player, email: str, mail: str | None = None) -> None:
    """Answer a mail of somebody who is shut out: the first since then, and no other; `mail` is its Message-ID."""
    ban = standing(ctx, player.id)
    if ban and email:
        _owe(ctx, ban, player, email, f"{KIND} answer {ban.id}", mail)


def _owe(ctx: Context, ban: Ban, player: Player, email: str, once: str, mail: str | None = None) -> None:
    facts = {"name": player.name, "language": player.language, "sentence": ban.sentence}
    outbox.owe_mail(ctx, KIND, email, facts, once=once, answers=mail)
