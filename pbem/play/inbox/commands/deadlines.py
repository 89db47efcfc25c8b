"""Commands about deadlines: to remind players and explain a deadline, and what happens after a timeout.

Players who do not sit in the match take over a seat or reclaim one, so `inbox.service_mail` reads these two at the
service's address, too.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.deadlines import explanation
from pbem.play.inbox import seat_requests
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation, done, done_unless, refuse_on_page
from pbem.play.inbox.commands.new_matches import sender
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.play.timeouts import nominations, nudges, votes

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _nudge(call: Invocation) -> Verdict:
    result = " ".join(nudges.nudge(call.ctx, call.match, call.holder))
    call.answer("nudged", came=result)
    return done(result)


def _explain_deadline(call: Invocation) -> Verdict:
    steps = explanation.explain(call.ctx, call.match, call.holder)
    call.answer("why", told=steps)
    return done(" ".join(steps))


def _vote(call: Invocation) -> Verdict:
    try:
        choice, seat = votes.parse(call.text)
        settled = votes.cast(call.ctx, call.match, call.holder, choice, seat)
    except Refused as refused:
        return call.reject("not decided", str(refused))
    if not settled:
        call.answer("voted", choice=choice)
    return done(_("Your vote was counted."))


def _nominate(call: Invocation) -> Verdict:
    try:
        guest, seat = nominations.parse(call.text)
        name = nominations.nominate(call.ctx, call.match, call.holder, guest, seat)
    except Refused as refused:
        return call.reject("not decided", str(refused))
    call.answer("named whom", called=name)
    return done(_("{name} was invited by mail to take the seat.", name=name))


def _request_seat(call: Invocation, what: str) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    return done_unless(seat_requests.handle(call.ctx, sender(call), what, call.text))


COMMANDS = (
    Command(
        "nudge",
        {"en": ("nudge",), "de": ("anstupsen", "stups")},
        marked("to send a friendly reminder to the players whose turn it is, once a day"),
        _nudge,
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
    Command(
        "why",
        {"en": ("why",), "de": ("warum", "wieso")},
        marked("to see step by step how your deadline was calculated"),
        _explain_deadline,
        Right.ASK,
        frozenset({RUNNING}),
    ),
    Command(
        "vote",
        {"en": ("vote",), "de": ("abstimmen", "stimme")},
        marked("followed by “wait”, “robot” or “end” to choose what happens when a player does not move"),
        _vote,
        Right.ACT,
        frozenset({RUNNING}),
        needs_text=True,
        needs_several_seats=True,
    ),
    Command(
        "name",
        {"en": ("name",), "de": ("benennen", "benenne")},
        marked("to invite a substitute, if you created the match: name Zoe zoe@example.org"),
        _nominate,
        Right.ACT,
        frozenset({RUNNING}),
        needs_text=True,
        needs_several_seats=True,
    ),
    Command(
        "take over",
        {"en": ("take over",), "de": ("übernehmen", "platz übernehmen")},
        marked("followed by the first letters of a match to take an open seat in it"),
        partial(_request_seat, what=seat_requests.TAKE_OVER),
        Right.ACCOUNT,
        needs_text=True,
    ),
    Command(
        "come back",
        {"en": ("come back",), "de": ("zurückkommen", "zurück kommen")},
        marked("followed by the first letters of a match to take back your seat from the robot"),
        partial(_request_seat, what=seat_requests.COME_BACK),
        Right.ACCOUNT,
        takes_text=True,
    ),
)
