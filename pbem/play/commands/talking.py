"""Talking: words to the table, alone or below one's moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play import matches, notices, talk
from pbem.play.answers import answer
from pbem.play.commands.command import INVITING, OVER, RUNNING, Command, Wish
from pbem.play.commands.invitation import accept, decline
from pbem.play.history import course_of
from pbem.play.verdicts import DONE, REJECTED, Verdict
from pbem.words import _, marked

if TYPE_CHECKING:
    from pbem.db.models import Match, Submission
    from pbem.play.table import Table


def _say(wish: Wish) -> Verdict:
    table, match, submission = wish.table, wish.match, wish.submission
    said = talk.words([wish.text, *wish.below], submission.holder.name) or talk.tidy(wish.text)
    if not talk.say(table, match, submission, said):
        reason = _("You have said a lot today, so this was not passed on. Please try again tomorrow.")
        answer(table, match, submission, "not said", reason=reason)
        return Verdict(REJECTED, reason)
    _tell(table, match, submission)
    answer(table, match, submission, "said so", wrote=said)
    return Verdict(DONE, _("Your words went to the table: “{text}”", text=said))


def _tell(table: Table, match: Match, submission: Submission) -> None:
    """Owe the others at a table a mail of its own with what was said."""
    course = course_of(table, match)
    for other in matches.holders(table, match):
        if other.id != submission.holder_id:
            facts = notices.position_facts(table, course, other) | {"talk": talk.since(table, match, other)}
            once = f"said {match.id} {other.id} {submission.id}"
            notices.owe(table, "said", other, match, facts, once=once)


def _yes(wish: Wish) -> Verdict | None:
    if wish.match.state == INVITING:
        return accept(wish)
    return _may_talk(wish, agreed=True)


def _no(wish: Wish) -> Verdict | None:
    if wish.match.state == INVITING:
        return decline(wish)
    return _may_talk(wish, agreed=False)


def _may_talk(wish: Wish, *, agreed: bool) -> Verdict | None:
    """Answer whether the words below one's moves go to the table; None where nobody had asked."""
    table, match, submission = wish.table, wish.match, wish.submission
    holder = submission.holder
    waits = talk.held(table, holder)
    asked = waits if holder.talks is None else holder.talks is not agreed
    if not asked or wish.text or talk.words(wish.below, holder.name):
        return None
    if agreed:
        talk.agree(table, match, holder)
        answer(table, match, submission, "talks", waited=waits)
        return Verdict(DONE, _("From now on the table reads what you write below your moves."))
    talk.refuse(table, holder)
    answer(table, match, submission, "talks not")
    return Verdict(DONE, _("Nobody reads what you write below your moves."))


COMMANDS = (
    Command(
        "say",
        {"en": ("say",), "de": ("sage", "sag")},
        marked("with some words behind it, to say them to the table"),
        _say,
        frozenset({RUNNING, OVER}),
        takes=True,
        needs=True,
        goes_on=True,
        for_several=True,
    ),
    Command(
        "yes",
        {"en": ("yes", "ok", "okay"), "de": ("ja",)},
        marked("to accept an invitation, or to let the table read what you write below your moves"),
        _yes,
        takes=True,
    ),
    Command(
        "no",
        {"en": ("no",), "de": ("nein",)},
        marked("to decline an invitation, or to keep what you write below your moves to yourself"),
        _no,
    ),
)
