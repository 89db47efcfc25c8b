"""Ending a match before its time: giving up, and agreeing on a draw."""

from __future__ import annotations

from pbem.play import endings
from pbem.play.answers import answer, mail_of
from pbem.play.commands.command import RUNNING, Command, Wish
from pbem.play.history import course_of
from pbem.play.verdicts import DONE, Verdict
from pbem.words import _, marked


def _resign(wish: Wish) -> Verdict:
    table, match, submission = wish.table, wish.match, wish.submission
    endings.resign(table, course_of(table, match), submission.holder, mail_of(submission))
    return Verdict(DONE, _("You have resigned."))


def _draw(wish: Wish) -> Verdict:
    table, match, submission = wish.table, wish.match, wish.submission
    if not endings.offer_draw(table, course_of(table, match), submission.holder, mail_of(submission)):
        answer(table, match, submission, "draw offered")
    return Verdict(DONE, _("You have offered a draw."))


COMMANDS = (
    Command(
        "resign",
        {"en": ("resign",), "de": ("aufgeben",)},
        marked("to give up (you are asked once more)"),
        _resign,
        frozenset({RUNNING}),
        asks_back=True,
    ),
    Command(
        "draw",
        {"en": ("draw",), "de": ("remis",)},
        marked("to offer or to agree to a draw"),
        _draw,
        frozenset({RUNNING}),
        for_several=True,
    ),
)
