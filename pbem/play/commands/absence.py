"""Being away and coming back; to the service's own address these are read by `pbem.play.letters`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import away_mail
from pbem.play.away_mail import Absent
from pbem.play.commands.command import Command, Wish
from pbem.play.permissions import Right
from pbem.play.submissions import MAIL
from pbem.play.verdicts import DONE, REJECTED, Verdict
from pbem.words import _, marked

if TYPE_CHECKING:
    from pbem.db.models import Submission


def _away(wish: Wish) -> Verdict:
    why_not = away_mail.go(wish.table, _who(wish.submission), wish.text)
    return Verdict(REJECTED, why_not) if why_not else Verdict(DONE, _("You are away; your clocks stand still."))


def _back(wish: Wish) -> Verdict:
    why_not = away_mail.back(wish.table, _who(wish.submission))
    return Verdict(REJECTED, why_not) if why_not else Verdict(DONE, _("You are back."))


def _who(submission: Submission) -> Absent:
    holder = submission.holder
    return Absent(holder.player, holder.email, submission.message_id, mailed=submission.via == MAIL)


COMMANDS = (
    Command(
        "away",
        {"en": ("away",), "de": ("abwesend", "weg")},
        marked("with how long behind it, such as “until 17 Aug” or “5 days”: your clocks stand still in all matches"),
        _away,
        Right.ACCOUNT,
        takes=True,
    ),
    Command(
        "back", {"en": ("back",), "de": ("zurück",)}, marked("to be back sooner than you said"), _back, Right.ACCOUNT
    ),
)
