"""Commands that ask for information: the position, the rules, help."""

from __future__ import annotations

from functools import partial
from typing import Any

from pbem.i18n import marked
from pbem.play.inbox.commands.base import INVITING, Command, Invocation
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def enqueue_answer(wish: Invocation, kind: str, **more: Any) -> Verdict:
    """Enqueue an answer of a kind; an invitee may accept in reply to it."""
    answer(wish.ctx, wish.match, wish.submission, kind, 0 if wish.match.state == INVITING else None, **more)
    return Verdict(SubmissionStatus.DONE)


COMMANDS = (
    Command(
        "board",
        {"en": ("board",), "de": ("brett",)},
        marked("to be sent the position again"),
        partial(enqueue_answer, kind="board"),
        Right.ASK,
    ),
    Command(
        "rules",
        {"en": ("rules",), "de": ("regeln",)},
        marked("to be sent the rules of the game"),
        partial(enqueue_answer, kind="rules"),
        Right.ASK,
    ),
    Command(
        "help",
        {"en": ("help",), "de": ("hilfe",)},
        marked("to be sent this"),
        partial(enqueue_answer, kind="help"),
        Right.ASK,
    ),
)
