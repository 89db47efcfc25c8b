"""Taking back a move that is held and has not been played."""

from __future__ import annotations

from pbem.play import holding
from pbem.play.answers import answer
from pbem.play.commands.command import RUNNING, Command, Wish
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, Verdict
from pbem.words import _, marked


def _undo(wish: Wish) -> Verdict:
    table, match, submission = wish.table, wish.match, wish.submission
    before = holding.held(table, submission.holder, submission.received_at)
    if before and holding.take_back(table, before, submission.received_at):
        answer(table, match, submission, "undone")
        return Verdict(DONE, _("Your move was taken back; nothing was played."))
    answer(table, match, submission, "not undone", minutes=submission.holder.player.hold_minutes)
    return Verdict(DONE, _("No move of yours is held, so there is nothing to take back."))


COMMANDS = (
    Command(
        "undo",
        {"en": ("undo",), "de": ("rückgängig",)},
        marked("to take back a move that is held for you and not yet played"),
        _undo,
        Right.ACT,
        frozenset({RUNNING}),
        for_several=True,
    ),
)
