"""The command that takes back a held move before it is played."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation
from pbem.play.lifecycle import held_moves
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def _undo(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    before = held_moves.find_held(ctx, submission.holder, submission.received_at)
    if before and held_moves.undo(ctx, before, submission.received_at):
        answer(ctx, match, submission, "undone")
        return Verdict(SubmissionStatus.DONE, _("Your move was taken back; nothing was played."))
    answer(ctx, match, submission, "not undone", minutes=submission.holder.player.hold_minutes)
    return Verdict(SubmissionStatus.DONE, _("No move of yours is held, so there is nothing to take back."))


COMMANDS = (
    Command(
        "undo",
        {"en": ("undo",), "de": ("rückgängig",)},
        marked("to take back a move that is held for you and not yet played"),
        _undo,
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
)
