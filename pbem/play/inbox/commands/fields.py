"""Commands about fields; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox import field_mail
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.inbox.commands.new_matches import sender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _handle(call: Invocation, *, command: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    refusal = field_mail.handle(call.ctx, sender(call), command, call.text)
    return done_unless(refusal, _("The answer is on its way by mail."))


COMMANDS = (
    Command(
        field_mail.SHOW,
        {"en": ("fields",), "de": ("felder",)},
        marked("to list the fields, and your tables in them"),
        partial(_handle, command=field_mail.SHOW),
        Right.ASK,
    ),
    Command(
        field_mail.ENTER,
        {"en": ("enter field",), "de": ("feld beitreten",)},
        marked("followed by a game to enter its next field; after it you can add a text for the deals"),
        partial(_handle, command=field_mail.ENTER),
        Right.ACCOUNT,
        needs_text=True,
        verbatim=True,
    ),
    Command(
        field_mail.LEAVE,
        {"en": ("leave field",), "de": ("feld verlassen",)},
        marked("followed by a game to leave its field"),
        partial(_handle, command=field_mail.LEAVE),
        Right.ACCOUNT,
        needs_text=True,
    ),
)
