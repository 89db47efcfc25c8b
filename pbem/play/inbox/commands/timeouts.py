"""Commands after a timeout: to vote, to nominate a substitute, to take over a seat, and to reclaim one.

The last two are for players who do not sit in the match, so `inbox.service_mail` reads them at the service's address,
too.
"""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox import seat_requests
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation, refuse_on_page
from pbem.play.lobby.lobby_mail import MailSender
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.play.timeouts import nominations, votes
from pbem.states import SubmissionStatus


def _vote(wish: Invocation) -> Verdict:
    try:
        choice, seat = votes.parse(wish.text)
        settled = votes.cast(wish.ctx, wish.match, wish.submission.holder, choice, seat)
    except Refused as refused:
        return _answer_refusal(wish, refused)
    if not settled:
        answer(wish.ctx, wish.match, wish.submission, "voted", choice=choice)
    return Verdict(SubmissionStatus.DONE, _("Your vote is kept."))


def _nominate(wish: Invocation) -> Verdict:
    try:
        guest, seat = nominations.parse(wish.text)
        called = nominations.nominate(wish.ctx, wish.match, wish.submission.holder, guest, seat)
    except Refused as refused:
        return _answer_refusal(wish, refused)
    answer(wish.ctx, wish.match, wish.submission, "named whom", called=called)
    return Verdict(SubmissionStatus.DONE, _("{name} is asked by mail to take the seat.", name=called))


def _answer_refusal(wish: Invocation, refused: Refused) -> Verdict:
    answer(wish.ctx, wish.match, wish.submission, "not decided", reason=str(refused))
    return Verdict(SubmissionStatus.REJECTED, str(refused))


def _take_over(wish: Invocation) -> Verdict:
    return _request_seat(wish, "take over")


def _come_back(wish: Invocation) -> Verdict:
    return _request_seat(wish, "come back")


def _request_seat(wish: Invocation, what: str) -> Verdict:
    submission = wish.submission
    holder = submission.holder
    if submission.via != MAIL:
        return refuse_on_page()
    asker = MailSender(holder.email, holder.name, holder.player.language, submission.message_id, holder.player)
    refused = seat_requests.handle(wish.ctx, asker, what, wish.text)
    return Verdict(SubmissionStatus.REJECTED, refused) if refused else Verdict(SubmissionStatus.DONE)


COMMANDS = (
    Command(
        "vote",
        {"en": ("vote",), "de": ("abstimmen", "stimme")},
        marked("with “wait”, “robot” or “end” behind it, to say what shall happen when somebody does not move"),
        _vote,
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
        needs_several_seats=True,
    ),
    Command(
        "name",
        {"en": ("name",), "de": ("benennen", "benenne")},
        marked("if you made the match, to ask somebody else to take a seat: name Zoe zoe@example.org"),
        _nominate,
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
        needs_several_seats=True,
    ),
    Command(
        "take over",
        {"en": ("take over",), "de": ("übernehmen", "platz übernehmen")},
        marked("with the first letters of a match behind it, to take a seat where somebody is looked for"),
        _take_over,
        Right.ACCOUNT,
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "come back",
        {"en": ("come back",), "de": ("zurückkommen", "zurück kommen")},
        marked("with the first letters of a match behind it, to come back to a seat that the robot plays"),
        _come_back,
        Right.ACCOUNT,
        takes_text=True,
    ),
)
