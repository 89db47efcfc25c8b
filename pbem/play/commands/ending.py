"""Giving up a match."""

from __future__ import annotations

from pbem.play import endings
from pbem.play.answers import mail_of
from pbem.play.commands.command import RUNNING, Command, Wish
from pbem.play.history import course_of
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, Verdict
from pbem.words import _, marked


def resign(wish: Wish) -> Verdict:
    """Resign for the seat of the sender."""
    table, match, submission = wish.table, wish.match, wish.submission
    endings.resign(table, course_of(table, match), submission.holder, mail_of(submission))
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
