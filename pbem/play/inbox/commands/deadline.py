"""Commands about time: to nudge the players for whom the match waits, and to explain when moves are due."""

from __future__ import annotations

from pbem.i18n import marked
from pbem.play.deadlines import explanation
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.play.timeouts import nudges
from pbem.states import SubmissionStatus


def _nudge(wish: Invocation) -> Verdict:
    told = nudges.nudge(wish.ctx, wish.match, wish.submission.holder)
    answer(wish.ctx, wish.match, wish.submission, "nudged", came=" ".join(told))
    return Verdict(SubmissionStatus.DONE, " ".join(told))


def _explain_deadline(wish: Invocation) -> Verdict:
    told = explanation.explain(wish.ctx, wish.match, wish.submission.holder)
    answer(wish.ctx, wish.match, wish.submission, "why", told=told)
    return Verdict(SubmissionStatus.DONE, " ".join(told))


COMMANDS = (
    Command(
        "nudge",
        {"en": ("nudge",), "de": ("anstupsen", "stups")},
        marked("to have a friendly mail sent to those for whom the match waits, once a day"),
        _nudge,
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
    Command(
        "why",
        {"en": ("why",), "de": ("warum", "wieso")},
        marked("to be told step by step by when moves are due"),
        _explain_deadline,
        Right.ASK,
        frozenset({RUNNING}),
    ),
)
