"""Commands about leagues; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox import league_mail
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.lobby.lobby_mail import MailSender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _act(call: Invocation, *, command: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    holder, player = call.holder, call.holder.player
    sender = MailSender(holder.email, holder.name, player.language, call.submission.message_id, player)
    refusal = league_mail.handle(call.ctx, sender, command, call.text)
    return done_unless(refusal, _("The answer is on its way by mail."))


COMMANDS = (
    Command(
        league_mail.LEAGUES,
        {"en": ("leagues",), "de": ("ligen",)},
        marked("to list the leagues, and those that you have entered"),
        partial(_act, command=league_mail.LEAGUES),
        Right.ASK,
    ),
    Command(
        league_mail.LEAGUE,
        {"en": ("league",), "de": ("liga",)},
        marked("followed by a game to see the table of your group"),
        partial(_act, command=league_mail.LEAGUE),
        Right.ASK,
        needs_text=True,
    ),
    Command(
        league_mail.ENTER,
        {"en": ("enter league",), "de": ("liga beitreten",)},
        marked("followed by a game to enter its league; after it you can add a text for the deals"),
        partial(_act, command=league_mail.ENTER),
        Right.ACCOUNT,
        needs_text=True,
        verbatim=True,
    ),
    Command(
        league_mail.LEAVE,
        {"en": ("leave league",), "de": ("liga verlassen",)},
        marked("followed by a game to leave its league"),
        partial(_act, command=league_mail.LEAVE),
        Right.ACCOUNT,
        needs_text=True,
    ),
)
