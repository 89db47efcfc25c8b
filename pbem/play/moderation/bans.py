"""Bans: who is banned, the sentence for them, and the single reply to their mail.

`Player.banned_at` says whether a player is banned, so that most callers need no query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Ban
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

BANNED_MAIL, LIFTED_MAIL = "banned", "not banned"
"""Kinds of the mails about a ban, and about its end."""


class BannedError(Refused):
    """Rejects any request of a banned player, with a sentence for them."""


def active_ban(ctx: Context, player: int) -> Ban | None:
    """Return the active ban of a player, if there is one."""
    return ctx.session.scalar(select(Ban).where(Ban.player_id == player, Ban.lifted_at.is_(None)))


def refusal(ctx: Context, player: Player) -> str:
    """Return the sentence for a banned player, with the reason; "" if they are not banned."""
    ban = active_ban(ctx, player.id) if player.banned_at else None
    return _("You are banned: “{sentence}”", sentence=ban.message) if ban else ""


def check_not_banned(ctx: Context, player: Player) -> None:
    """Raise BannedError for a banned player."""
    if refused := refusal(ctx, player):
        raise BannedError(refused)


def notify(ctx: Context, ban: Ban, player: Player, email: str) -> None:
    """Enqueue the mail to a player about their ban."""
    _enqueue(ctx, ban, player, email, f"{BANNED_MAIL} {ban.id}")


def answer_mail(ctx: Context, player: Player, email: str, mail: str | None = None) -> None:
    """Enqueue a reply to the first mail of a banned player since the ban, and to no other; `mail` is its Message-ID."""
    ban = active_ban(ctx, player.id)
    if ban and email:
        _enqueue(ctx, ban, player, email, f"{BANNED_MAIL} answer {ban.id}", mail)


def _enqueue(ctx: Context, ban: Ban, player: Player, email: str, once: str, mail: str | None = None) -> None:
    facts = {"name": player.name, "language": player.language, "sentence": ban.message}
    outbox.enqueue_mail(ctx, BANNED_MAIL, email, facts, once=once, answers=mail)
