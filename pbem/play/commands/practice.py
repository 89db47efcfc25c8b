"""Playing on for practice from a step of a match that is over."""

from __future__ import annotations

from pbem.play import forking, matches, openings
from pbem.play.answers import answer
from pbem.play.commands.command import OVER, Command, Wish
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, REJECTED, Verdict
from pbem.words import _, marked

_ROBOT = {"robot", "robots", "roboter"}
_DIGITS = 6


def _practise(wish: Wish) -> Verdict | None:
    table, submission = wish.table, wish.submission
    number, *others = wish.text.casefold().split()
    if not (number.isascii() and number.isdigit() and len(number) <= _DIGITS) or not _ROBOT.issuperset(others):
        return None
    holder = submission.holder
    you = matches.Guest(holder.name, holder.email)
    try:
        with table.session.begin_nested():
            fork = forking.at(table, wish.match, int(number))
            openings.count_one(table, holder.player)
            guests = forking.against_robots(fork, you, holder.seat) if others else forking.alone(fork, you)
            own = holder.seat if others else 1
            made = forking.make(table, fork, guests, creator=own, host=holder.player, mail=submission.message_id)
    except matches.MatchError as refused:
        answer(table, wish.match, submission, "no fork", reason=str(refused))
        return Verdict(REJECTED, str(refused))
    return Verdict(DONE, _("The match for practice is made: {match}.", match=made.id))


COMMANDS = (
    Command(
        "fork",
        {"en": ("fork", "play on from"), "de": ("weiterspielen ab", "weiter ab")},
        marked("with the number of a step: to play on from there for practice, at all seats or against the robot"),
        _practise,
        Right.ACCOUNT,
        frozenset({OVER}),
        takes=True,
        needs=True,
    ),
)
