"""The command that resigns a match."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match
from pbem.play.notifications.replies import source_mail
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def resign(wish: Invocation) -> Verdict:
    """Resign the sender's seat."""
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    endings.resign(ctx, load_match(ctx, match), submission.holder, source_mail(submission))
    return Verdict(SubmissionStatus.DONE, _("You have resigned."))


COMMANDS = (
    Command(
        "resign",
        {"en": ("resign",), "de": ("aufgeben",)},
        marked("to give up (you are asked once more)"),
        resign,
        Right.ACT,
        frozenset({RUNNING}),
        needs_confirmation=True,
    ),
)
