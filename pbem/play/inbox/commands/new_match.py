"""The command that starts a new match; at the service's address `pbem.play.inbox.service_mail` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import Command, Invocation
from pbem.play.lifecycle.requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import Match


def _new(wish: Invocation) -> Verdict:
    ctx, submission = wish.ctx, wish.submission
    holder = submission.holder
    host = Invitee(holder.name, holder.email)
    try:
        wanted = request_parser.parse(wish.text, host)
        with ctx.session.begin_nested():
            match: Match = request_parser.create_match(
                ctx, wanted, holder.player, known=True, mail=submission.message_id
            )
    except Refused as refused:
        ply = 0 if wish.match.state == MatchState.INVITING else None
        answer(ctx, wish.match, submission, "not made", ply, reason=str(refused))
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    return Verdict(SubmissionStatus.DONE, _("The match is made: {match}.", match=match.id))


COMMANDS = (
    Command(
        "new",
        {"en": ("new",), "de": ("neu", "neue partie")},
        marked("with a game and addresses behind it, to begin another match: new minimax with ann@example.org"),
        _new,
        Right.ACCOUNT,
        takes_text=True,
        needs_text=True,
    ),
)
