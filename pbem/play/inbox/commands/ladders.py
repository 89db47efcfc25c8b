"""Commands about ladders; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox import ladder_mail
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.inbox.commands.new_matches import sender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _handle(call: Invocation, *, command: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    return done_unless(ladder_mail.handle(call.ctx, sender(call), command, call.text), _("The answer comes by mail."))


COMMANDS = (
    Command(
        ladder_mail.SHOW,
        {"en": ("ladder", "ladders"), "de": ("rangliste", "ranglisten")},
        marked("to list the ladders; with a game after it, to see the places around yours: ladder whist"),
        partial(_handle, command=ladder_mail.SHOW),
        Right.ASK,
        takes_text=True,
    ),
    Command(
        ladder_mail.ENTER,
        {"en": ("enter ladder", "join ladder"), "de": ("rangliste beitreten", "beitreten rangliste")},
        marked("followed by a game to enter its ladder: enter ladder whist"),
        partial(_handle, command=ladder_mail.ENTER),
        Right.ACCOUNT,
        needs_text=True,
    ),
    Command(
        ladder_mail.LEAVE,
        {"en": ("leave ladder",), "de": ("rangliste verlassen", "verlassen rangliste")},
        marked("followed by a game to leave its ladder: leave ladder whist"),
        partial(_handle, command=ladder_mail.LEAVE),
        Right.ACCOUNT,
        needs_text=True,
    ),
    Command(
        ladder_mail.CHALLENGE,
        {"en": ("challenge",), "de": ("fordern", "herausfordern")},
        marked("followed by a place or a name and a game to challenge somebody on its ladder: challenge 3 whist"),
        partial(_handle, command=ladder_mail.CHALLENGE),
        Right.ACCOUNT,
        needs_text=True,
    ),
)
