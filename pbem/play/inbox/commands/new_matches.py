"""Commands that start or join a match: a new one, an open table, a rematch, or a fork for practice.

At the service's address `pbem.play.inbox.service_mail` reads those that need no earlier match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import OVER, Command, Invocation, done, done_unless, refuse_on_page
from pbem.play.lifecycle import forks, rematches, robot_seats
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import lobby_mail, request_parser
from pbem.play.lobby.robot_words import ROBOT_WORDS, parse_level
from pbem.play.players.registry import MAX_NAME_LENGTH
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL
from pbem.robots import Level

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.submissions.verdicts import Verdict

_MAX_DIGITS = 6


def sender(call: Invocation) -> lobby_mail.MailSender:
    """Return the sender of a command as the lobby knows them."""
    holder = call.holder
    player = holder.player
    return lobby_mail.MailSender(holder.email, holder.name, player.language, call.submission.message_id, player)


def _lobby(call: Invocation) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    lobby_mail.enqueue_table_list(call.ctx, sender(call))
    return done()


def _join(call: Invocation) -> Verdict:
    return done_unless(lobby_mail.join(call.ctx, sender(call), call.text))


def _seat_me(call: Invocation) -> Verdict:
    return done_unless(lobby_mail.seat_anywhere(call.ctx, sender(call), call.text))


def _new(call: Invocation) -> Verdict:
    holder, message_id = call.holder, call.submission.message_id
    try:
        request = request_parser.parse(call.text, Invitee(holder.name, holder.email))
        with call.ctx.session.begin_nested():
            match = request_parser.create_match(call.ctx, request, holder.player, known=True, mail=message_id)
    except Refused as refused:
        return call.reject("not made", str(refused))
    return done(_("The match was created: {match}.", match=match.id))


def _rematch(call: Invocation) -> Verdict:
    known = rematches.find_latest(call.ctx, call.match)
    try:
        with call.ctx.session.begin_nested():
            match = rematches.request(call.ctx, call.match, call.holder.player, call.submission.message_id)
    except Refused as refused:
        return call.reject("no rematch", str(refused))
    if known is not None and match.started_at != call.ctx.now:
        # If this request starts the rematch, its first mail is the answer.
        call.answer("rematch waits", state=match.state)
    return done(_("The rematch was created: {match}.", match=match.id))


def _fork(call: Invocation) -> Verdict | None:
    ctx, holder = call.ctx, call.holder
    number, *others = call.text.rstrip(" .!").split() or [""]
    is_number = number.isascii() and number.isdigit() and len(number) <= _MAX_DIGITS
    level, *robot = others if len(others) > 1 else [Level.FAIR, *others]
    if not is_number or len(robot) > 1 or not ROBOT_WORDS.issuperset(map(str.casefold, robot)):
        return None
    you = Invitee(holder.name, holder.email)
    try:
        with ctx.session.begin_nested():
            fork = forks.find_start(ctx, call.match, int(number))
            request_parser.hit_daily_limit(ctx, holder.player)
            guests = forks.seat_alone(fork, you)
            if robot:
                guests = forks.seat_against_robots(fork, you, holder.seat, _parse_level(level, call.match))
            own, message_id = holder.seat if robot else 1, call.submission.message_id
            match = forks.create_match(ctx, fork, guests, creator_seat=own, host=holder.player, message_id=message_id)
    except Refused as refused:
        return call.reject("no fork", str(refused))
    return done(_("The practice match was created: {match}.", match=match.id))


def _parse_level(typed: str, match: Match) -> Level:
    """Parse the word for the level of a match's robots; raises Refused."""
    level = parse_level(typed)
    if level is None:
        raise robot_seats.unknown_level(typed[:MAX_NAME_LENGTH], GAMES[match.game], "seats")
    return level


COMMANDS = (
    Command(
        "new",
        {"en": ("new",), "de": ("neu", "neue partie")},
        marked(
            "followed by a game and addresses or robots to start a match: new montauk with ann@example.org, "
            "new montauk with easy robot"
        ),
        _new,
        Right.ACCOUNT,
        needs_text=True,
    ),
    Command(
        "lobby",
        {"en": ("lobby", "open tables"), "de": ("lobby", "offene tische")},
        marked("to get the list of open tables"),
        _lobby,
        Right.ASK,
    ),
    Command(
        "join",
        {"en": ("join",), "de": ("mitspielen", "beitreten")},
        marked("followed by the first letters of an open table to join it: join 4x7kq"),
        _join,
        Right.ACCOUNT,
        needs_text=True,
        verbatim=True,
    ),
    Command(
        "seat me",
        {"en": ("seat me", "seat me anywhere"), "de": ("setz mich", "setz mich irgendwohin")},
        marked(
            "to join the open table that starts soonest, or open one if there is none; followed by a game if you want "
            "that one: seat me montauk"
        ),
        _seat_me,
        Right.ACCOUNT,
        takes_text=True,
    ),
    Command(
        "rematch",
        {"en": ("rematch", "again", "play again"), "de": ("revanche", "noch einmal", "nochmal")},
        marked("to play once more, with the seats rotated by one"),
        _rematch,
        Right.ACCOUNT,
        frozenset({OVER}),
    ),
    Command(
        "fork",
        {"en": ("fork", "play on from"), "de": ("weiterspielen ab", "weiter ab")},
        marked(
            "followed by the number of a step to play on from there for practice; add “robot” or “easy robot” to play "
            "against it"
        ),
        _fork,
        Right.ACCOUNT,
        frozenset({OVER}),
        needs_text=True,
    ),
)
