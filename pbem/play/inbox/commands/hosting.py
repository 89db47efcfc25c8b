"""Commands of a host whose match waits: to remind invitees who have not answered, or to replace one."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import INVITING, Command, Invocation
from pbem.play.lobby import hosting, replacement_parser
from pbem.play.matches.views import player_names
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus


def _remind(wish: Invocation) -> Verdict:
    try:
        reminded = hosting.remind(wish.ctx, wish.match, wish.submission.holder)
    except Refused as refused:
        return _answer_refusal(wish, refused)
    answer(wish.ctx, wish.match, wish.submission, "reminded", ply=0, reminded=reminded)
    return Verdict(SubmissionStatus.DONE)


def _replace(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    try:
        seat, guest = replacement_parser.parse(wish.text, player_names(ctx, match))
        drawn = hosting.replace(ctx, match, submission.holder, seat, guest, submission.message_id)
    except Refused as refused:
        return _answer_refusal(wish, refused)
    return Verdict(SubmissionStatus.DONE, _("The match is drawn anew: {match}.", match=drawn.id))


def _answer_refusal(wish: Invocation, refused: Refused) -> Verdict:
    answer(wish.ctx, wish.match, wish.submission, "not hosted", ply=0, reason=str(refused))
    return Verdict(SubmissionStatus.REJECTED, str(refused))


COMMANDS = (
    Command(
        "remind",
        {"en": ("remind",), "de": ("erinnern",)},
        marked("if you made the match, to remind those who have not answered, once"),
        _remind,
        Right.ACT,
        frozenset({INVITING}),
        needs_several_seats=True,
    ),
    Command(
        "replace",
        {"en": ("replace",), "de": ("ersetzen", "ersetze")},
        marked("if you made the match, to ask somebody else: replace 2 with bob@example.org, or with anybody"),
        _replace,
        Right.ACT,
        frozenset({INVITING}),
        takes_text=True,
        needs_text=True,
        needs_several_seats=True,
    ),
)
