"""The command that begins a lesson; at the service's address `pbem.play.inbox.service_mail` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import marked
from pbem.play.inbox.commands.base import Command, Invocation, done_unless, refuse_on_page
from pbem.play.inbox.commands.new_matches import sender
from pbem.play.lobby import lesson_mail
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _learn(call: Invocation) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    return done_unless(lesson_mail.start(call.ctx, sender(call), call.text))


COMMANDS = (
    Command(
        lesson_mail.LEARN,
        {"en": ("learn",), "de": ("lernen", "lerne")},
        marked("followed by a game to learn it in a few steps by mail"),
        _learn,
        Right.ASK,
        takes_text=True,
    ),
)
