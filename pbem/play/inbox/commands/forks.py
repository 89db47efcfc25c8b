"""The command that forks a finished match at a step, for practice."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import OVER, Command, Invocation
from pbem.play.lifecycle import forks
from pbem.play.lifecycle.requests import Invitee
from pbem.play.lobby import request_parser
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

_ROBOT_WORDS = {"robot", "robots", "roboter"}
_MAX_DIGITS = 6


def _fork(wish: Invocation) -> Verdict | None:
    ctx, submission = wish.ctx, wish.submission
    number, *others = wish.text.casefold().split()
    if not (number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS) or not _ROBOT_WORDS.issuperset(
        others
    ):
        return None
    holder = submission.holder
    you = Invitee(holder.name, holder.email)
    try:
        with ctx.session.begin_nested():
            fork = forks.find_start(ctx, wish.match, int(number))
            request_parser.hit_daily_limit(ctx, holder.player)
            guests = forks.seat_against_robots(fork, you, holder.seat) if others else forks.seat_alone(fork, you)
            own = holder.seat if others else 1
            made = forks.create_match(
                ctx, fork, guests, creator_seat=own, host=holder.player, message_id=submission.message_id
            )
    except Refused as refused:
        answer(ctx, wish.match, submission, "no fork", reason=str(refused))
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    return Verdict(SubmissionStatus.DONE, _("The match for practice is made: {match}.", match=made.id))


COMMANDS = (
    Command(
        "fork",
        {"en": ("fork", "play on from"), "de": ("weiterspielen ab", "weiter ab")},
        marked("with the number of a step: to play on from there for practice, at all seats or against the robot"),
        _fork,
        Right.ACCOUNT,
        frozenset({OVER}),
        takes_text=True,
        needs_text=True,
    ),
)
