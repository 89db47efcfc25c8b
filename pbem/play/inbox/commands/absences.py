"""Commands that start and end a vacation; at the service's address `pbem.play.inbox.service_mail` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import Command, Invocation, done_unless
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.timeouts import absence_mail
from pbem.play.timeouts.absence_mail import AbsenceRequest

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _away(call: Invocation) -> Verdict:
    return done_unless(absence_mail.start(call.ctx, _request(call), call.text), _("You are away; your clocks stop."))


def _back(call: Invocation) -> Verdict:
    return done_unless(absence_mail.end_current(call.ctx, _request(call)), _("You are back."))


def _request(call: Invocation) -> AbsenceRequest:
    holder, submission = call.holder, call.submission
    return AbsenceRequest(holder.player, holder.email, submission.message_id, by_mail=submission.via == MAIL)


COMMANDS = (
    Command(
        "away",
        {"en": ("away",), "de": ("abwesend", "weg")},
        marked("followed by “until 17 Aug” or “5 days” to stop your clocks in all matches for that time"),
        _away,
        Right.ACCOUNT,
        takes_text=True,
    ),
    Command("back", {"en": ("back",), "de": ("zurück",)}, marked("to end your vacation early"), _back, Right.ACCOUNT),
)
