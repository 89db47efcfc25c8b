"""Commands about the deal of the week; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import marked
from pbem.play.inbox import weekly_mail
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.inbox.commands.new_matches import sender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _handle(call: Invocation, *, command: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    return done_unless(weekly_mail.handle(call.ctx, sender(call), command, call.text))


COMMANDS = (
    Command(
        weekly_mail.TAKE_PART,
        {"en": ("weekly",), "de": ("woche", "rad der woche")},
        marked("to play the Minimax of the week, or to see how you stand in it"),
        partial(_handle, command=weekly_mail.TAKE_PART),
        Right.ACCOUNT,
    ),
    Command(
        weekly_mail.NEXT,
        {"en": ("weekly next", "next week"), "de": ("nächste woche",)},
        marked("to play that of next week too; a text after it adds to its deal"),
        partial(_handle, command=weekly_mail.NEXT),
        Right.ACCOUNT,
        takes_text=True,
        verbatim=True,
    ),
    Command(
        weekly_mail.ON,
        {"en": ("weekly on",), "de": ("woche an",)},
        marked("to get a mail each Monday when it begins"),
        partial(_handle, command=weekly_mail.ON),
        Right.ACCOUNT,
    ),
    Command(
        weekly_mail.OFF,
        {"en": ("weekly off",), "de": ("woche aus",)},
        marked("to get that mail no more"),
        partial(_handle, command=weekly_mail.OFF),
        Right.ACCOUNT,
    ),
)
