"""Commands about people to avoid; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox import avoidance_mail
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.lobby.lobby_mail import MailSender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _change(call: Invocation, *, command: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    holder, player = call.holder, call.holder.player
    sender = MailSender(holder.email, holder.name, player.language, call.submission.message_id, player)
    refusal = avoidance_mail.handle(call.ctx, sender, command, call.text, call.match.id)
    return done_unless(refusal, _("Your list of people to avoid is on its way by mail."))


COMMANDS = (
    Command(
        avoidance_mail.AVOID,
        {"en": ("avoid",), "de": ("fernhalten",)},
        marked("followed by a player’s name to share no new table with them; alone for your list"),
        partial(_change, command=avoidance_mail.AVOID),
        Right.ACCOUNT,
        takes_text=True,
    ),
    Command(
        avoidance_mail.STOP,
        {"en": ("avoid no more",), "de": ("nicht mehr fernhalten",)},
        marked("followed by a player’s name to take them off that list"),
        partial(_change, command=avoidance_mail.STOP),
        Right.ACCOUNT,
        needs_text=True,
    ),
)
