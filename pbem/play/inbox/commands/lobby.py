"""Commands that list open tables and join one; at the service's address `inbox.service_mail` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import marked
from pbem.play.inbox.commands.base import Command, Invocation, refuse_on_page
from pbem.play.lobby import lobby_mail
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Submission


def _lobby(wish: Invocation) -> Verdict:
    if wish.submission.via != MAIL:
        return refuse_on_page()
    lobby_mail.enqueue_table_list(wish.ctx, _asker(wish.submission))
    return Verdict(SubmissionStatus.DONE)


def _join(wish: Invocation) -> Verdict:
    refused = lobby_mail.join(wish.ctx, _asker(wish.submission), wish.text)
    return Verdict(SubmissionStatus.REJECTED, refused) if refused else Verdict(SubmissionStatus.DONE)


def _asker(submission: Submission) -> lobby_mail.MailSender:
    holder = submission.holder
    player = holder.player
    return lobby_mail.MailSender(holder.email, holder.name, player.language, submission.message_id, player)


COMMANDS = (
    Command(
        "lobby",
        {"en": ("lobby", "open tables"), "de": ("lobby", "offene tische")},
        marked("to be sent the tables where somebody waits for players"),
        _lobby,
        Right.ASK,
    ),
    Command(
        "join",
        {"en": ("join",), "de": ("mitspielen", "beitreten")},
        marked("with the first letters of such a table behind it, to sit down there: join 4x7kq"),
        _join,
        Right.ACCOUNT,
        takes_text=True,
        needs_text=True,
        verbatim=True,
    ),
)
