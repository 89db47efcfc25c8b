"""Commands that start and end a vacation; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import Command, Invocation
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.play.timeouts import absence_mail
from pbem.play.timeouts.absence_mail import AbsenceRequest
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Submission


def _away(wish: Invocation) -> Verdict:
    why_not = absence_mail.start(wish.ctx, _absentee(wish.submission), wish.text)
    return (
        Verdict(SubmissionStatus.REJECTED, why_not)
        if why_not
        else Verdict(SubmissionStatus.DONE, _("You are away; your clocks stand still."))
    )


def _back(wish: Invocation) -> Verdict:
    why_not = absence_mail.end_current(wish.ctx, _absentee(wish.submission))
    return (
        Verdict(SubmissionStatus.REJECTED, why_not) if why_not else Verdict(SubmissionStatus.DONE, _("You are back."))
    )


def _absentee(submission: Submission) -> AbsenceRequest:
    holder = submission.holder
    return AbsenceRequest(holder.player, holder.email, submission.message_id, by_mail=submission.via == MAIL)


COMMANDS = (
    Command(
        "away",
        {"en": ("away",), "de": ("abwesend", "weg")},
        marked("with how long behind it, such as “until 17 Aug” or “5 days”: your clocks stand still in all matches"),
        _away,
        Right.ACCOUNT,
        takes_text=True,
    ),
    Command(
        "back", {"en": ("back",), "de": ("zurück",)}, marked("to be back sooner than you said"), _back, Right.ACCOUNT
    ),
)
