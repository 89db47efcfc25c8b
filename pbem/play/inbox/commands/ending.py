"""The command that resigns a match."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import RUNNING, Command, Wish
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import course_of
from pbem.play.notifications.replies import mail_of
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import DONE, Verdict


def resign(wish: Wish) -> Verdict:
    """Resign the sender's seat."""
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    endings.resign(ctx, course_of(ctx, match), submission.holder, mail_of(submission))
    return Verdict(DONE, _("You have resigned."))


COMMANDS = (
    Command(
        "resign",
        {"en": ("resign",), "de": ("aufgeben",)},
        marked("to give up (you are asked once more)"),
        resign,
        Right.ACT,
        frozenset({RUNNING}),
        asks_back=True,
    ),
)
