"""The command that lists the player's matches; at the service's address `inbox.service_mail` reads it."""

from __future__ import annotations

from pbem.i18n import marked
from pbem.play.inbox import match_list
from pbem.play.inbox.commands.base import Command, Invocation, refuse_on_page
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def _list(wish: Invocation) -> Verdict:
    submission = wish.submission
    if submission.via != MAIL:
        return refuse_on_page()
    holder = submission.holder
    match_list.enqueue(wish.ctx, holder.player, holder.email, submission.message_id)
    return Verdict(SubmissionStatus.DONE)


COMMANDS = (
    Command(
        "list", {"en": ("list",), "de": ("liste",)}, marked("to be sent a list of all your matches"), _list, Right.ASK
    ),
)
