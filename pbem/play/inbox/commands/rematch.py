"""The command that asks for a rematch, when a match is over."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import OVER, Command, Invocation
from pbem.play.lifecycle import rematches
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def _rematch(wish: Invocation) -> Verdict:
    ctx, submission = wish.ctx, wish.submission
    player = submission.holder.player
    known = rematches.find_latest(ctx, wish.match)
    try:
        with ctx.session.begin_nested():
            match = rematches.request(ctx, wish.match, player, submission.message_id)
    except Refused as refused:
        answer(ctx, wish.match, submission, "no rematch", reason=str(refused))
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    if known is not None and match.started_at != ctx.now:
        # If this request starts the rematch, its first mail is the answer.
        answer(ctx, wish.match, submission, "rematch waits", state=match.state)
    return Verdict(SubmissionStatus.DONE, _("The rematch is made: {match}.", match=match.id))


COMMANDS = (
    Command(
        "rematch",
        {"en": ("rematch", "again", "play again"), "de": ("revanche", "noch einmal", "nochmal")},
        marked("to play once more, with the seats turned by one"),
        _rematch,
        Right.ACCOUNT,
        frozenset({OVER}),
    ),
)
