"""The deal of the week by mail, to a match or to the service itself: taking part, and mail when a week begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Address
from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text
from pbem.play.weekly import calendar, entries, standing

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.lobby.lobby_mail import MailSender

TAKE_PART, NEXT, ON, OFF = "weekly", "weekly next", "weekly on", "weekly off"
COMMANDS = (TAKE_PART, NEXT, ON, OFF)
"""The commands: to play this week, the next one, and to get a mail when one begins, or none."""
ENTRY, SETTLED, REFUSED = "weekly entry", "weekly settled", "not in the week"
"""Mail kinds: how the sender's match of a week stands, what mail they will get, and a refusal."""
SETTLED_ON = marked("From now on you get a mail each Monday, when the new week has begun.")
SETTLED_OFF = marked("You get no more mail when a week begins.")


def handle(ctx: Context, sender: MailSender, command: str, text: str = "") -> str:
    """Do what a mail asks for about the week; return why not, or an empty string.

    A mail that does not prove who sent it begins nothing: the owner of its address is asked first.
    """
    try:
        with ctx.session.begin_nested():
            if sender.player is None:
                _invite(ctx, sender, command)
            elif command in {ON, OFF}:
                _settle(ctx, sender, sender.player, wishes=command == ON)
            else:
                _enter(ctx, sender, sender.player, command, text)
    except Refused as refused:
        _enqueue(ctx, sender, REFUSED, {"reason": str(refused)})
        return str(refused)
    return ""


def _enter(ctx: Context, sender: MailSender, player: Player, command: str, text: str) -> None:
    number = calendar.number_at(ctx.now) + (command == NEXT)
    match = entries.enter(ctx, number, player, text=text, mail=sender.message_id)
    # The first mail of a match that begins now is the answer.
    if match.started_at != ctx.now:
        _enqueue(ctx, sender, ENTRY, standing.facts(ctx, number, match))


def _invite(ctx: Context, sender: MailSender, command: str) -> None:
    address = ctx.session.get(Address, sender.email)
    if command != TAKE_PART:
        raise Refused(unproven_text(address.player) if address else _("Write from an address that is confirmed here."))
    entries.invite(ctx, calendar.number_at(ctx.now), sender.name, sender.email, known=False, mail=sender.message_id)


def _settle(ctx: Context, sender: MailSender, player: Player, *, wishes: bool) -> None:
    player.weekly_mail = wishes
    _enqueue(ctx, sender, SETTLED, {"wishes": wishes})


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    zone = sender.player.time_zone if sender.player else "UTC"
    facts |= {"name": sender.name, "language": sender.language, "zone": zone}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)
