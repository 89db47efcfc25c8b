"""Commands that ask how the robot would have done, and whether the last mail of each match says so."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.analysis import par_mail, par_words
from pbem.play.analysis.comparison import Comparison
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation, done
from pbem.play.notifications import replies
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict


def _par(call: Invocation) -> Verdict:
    try:
        par = par_mail.ask(call.ctx, call.match, call.holder)
    except Refused as refused:
        return call.reject("no par", str(refused))
    due_at = par_mail.due_at(call.ctx, par)
    replies.answer(call.ctx, call.match, call.submission, "par", due_at=due_at, par=par)
    if par["state"] == par_mail.DONE:
        return done(par_words.sentence(Comparison(**par["compared"])))
    return done(_("The page of the match shows how the robot did."))


def _settle(call: Invocation, *, wishes: bool) -> Verdict:
    call.holder.player.compares_with_robot = wishes
    call.answer("par settled", wishes=wishes)
    return done(_(par_words.SETTLED) if wishes else _(par_words.UNSETTLED))


COMMANDS = (
    Command(
        "par",
        {"en": ("par",), "de": ("vergleich", "par")},
        marked("to see how the strong robot would have done with your cards"),
        _par,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
    Command(
        "par on",
        {"en": ("par on",), "de": ("vergleich an", "par an")},
        marked("to find that in the last mail of each match"),
        partial(_settle, wishes=True),
        Right.ACCOUNT,
        frozenset({OVER}),
    ),
    Command(
        "par off",
        {"en": ("par off",), "de": ("vergleich aus", "par aus")},
        marked("to leave that out of the last mail of each match"),
        partial(_settle, wishes=False),
        Right.ACCOUNT,
        frozenset({OVER}),
    ),
)
