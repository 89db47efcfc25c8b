"""People to avoid, by mail to a match or to the service itself: the list, and who is put on it or taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Address, Player
from pbem.play.core.errors import Refused
from pbem.play.moderation import acquaintances, avoidance
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from pbem.play.lobby.lobby_mail import MailSender

AVOID, STOP = "avoid", "avoid no more"
"""The commands."""
LIST, REFUSED = "people to avoid", "not avoided"
"""Mail kinds: the list with what has changed, and a refusal."""


def handle(ctx: Context, sender: MailSender, command: str, text: str, match: str = "") -> str:
    """Add or remove the person whom a text names, or list all without one; return why not, or an empty string.

    `match` is the match whose mail is answered: who sits there is meant first.
    """
    if sender.player is None:
        return _refuse(ctx, sender, unproven_text(ctx.session.get_one(Address, sender.email).player))
    try:
        facts = _change(ctx, sender.player, command, text, match) if text.strip() else {}
    except Refused as refused:
        return _refuse(ctx, sender, str(refused))
    names = [one.name for one in avoidance.list_avoided(ctx, sender.player.id)]
    _enqueue(ctx, sender, LIST, facts | {"names": names})
    return ""


def _change(ctx: Context, player: Player, command: str, text: str, match: str) -> dict[str, Any]:
    """Add or remove a person, and return the facts of that."""
    if command == STOP:
        known = avoidance.find_by_name(ctx, player.id, text)
        avoidance.remove(ctx, player.id, known.avoided_id)
        return {"removed": known.name}
    met = acquaintances.find(ctx, player, text, match)
    avoidance.add(ctx, player, ctx.session.get_one(Player, met.player), met.name)
    return {"added": met.name}


def _refuse(ctx: Context, sender: MailSender, reason: str) -> str:
    _enqueue(ctx, sender, REFUSED, {"reason": reason})
    return reason


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    facts |= {"name": sender.name, "language": sender.language}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)
