"""Commands that offer a draw, a takeback, a pause, more time or the end of a match, and the one that resigns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation, done
from pbem.play.lifecycle import agreements, resigning
from pbem.play.lifecycle.agreements import Participant
from pbem.play.notifications.replies import source_mail
from pbem.play.offers import time_extensions
from pbem.play.offers.wording import ABANDON, DRAW, MORE_TIME, PAUSE, TAKEBACK
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Offer
    from pbem.play.submissions.verdicts import Verdict


def resign(call: Invocation) -> Verdict:
    """Resign the sender's seat."""
    resigning.resign(call.ctx, call.match, call.holder, source_mail(call.submission))
    return done(" ".join(filter(None, (_("You have resigned."), resigning.consequence(call.match)))))


def respond(call: Invocation, offer: Offer | None, *, agreed: bool) -> Verdict:
    """Agree or disagree with an offer; None stands for one that is no longer open."""
    if offer is None:
        return call.reject("not agreed", _(agreements.NO_LONGER_OPEN))
    if agreed:
        return _apply(call, lambda sender: agreements.agree(sender, offer.kind, offer.offered_at))
    return _apply(call, lambda sender: agreements.refuse(sender, offer.kind))


def _propose(call: Invocation, kind: str) -> Verdict:
    return _apply(call, lambda sender: agreements.propose(sender, kind, time_extensions.parse_days(call.text)))


def _apply(call: Invocation, act: Callable[[Participant], str]) -> Verdict:
    """Act on an offer; a player who gets no other mail about it is answered with the result."""
    length = call.match.log_length
    try:
        with call.ctx.session.begin_nested():
            result = act(Participant(call.ctx, call.match, call.holder, call.submission.message_id))
    except Refused as refused:
        return call.reject("not agreed", str(refused))
    if call.match.log_length == length:
        call.answer("agreeing", came=result)
    return done(result)


def _command(kind: str, english: tuple[str, ...], german: tuple[str, ...], summary: str) -> Command:
    return Command(
        kind,
        {"en": english, "de": german},
        summary,
        partial(_propose, kind=kind),
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=kind == MORE_TIME,
        needs_several_seats=kind != TAKEBACK,
    )


COMMANDS = (
    Command(
        "resign",
        {"en": ("resign",), "de": ("aufgeben",)},
        marked("to resign (you confirm it first)"),
        resign,
        Right.ACT,
        frozenset({RUNNING}),
        needs_confirmation=True,
        consequence=resigning.consequence,
    ),
    _command(DRAW, ("draw",), ("remis",), marked("to offer a draw or agree to one")),
    _command(
        TAKEBACK,
        ("takeback", "take back", "take it back"),
        ("zurücknehmen", "zurück nehmen", "rücknahme"),
        marked("to take back your last move, if the others agree and nothing was revealed since"),
    ),
    _command(
        PAUSE, ("pause",), ("pause", "pausieren"), marked("to stop the clocks of this match, if the others agree")
    ),
    Command(
        "resume",
        {"en": ("resume",), "de": ("fortsetzen",)},
        marked("to restart the clocks of this match"),
        partial(_apply, act=agreements.resume),
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
    _command(
        MORE_TIME,
        ("more time",),
        ("mehr zeit",),
        marked("to ask for two more days, or as many as you add; while you wait, to give your opponent a day"),
    ),
    _command(ABANDON, ("abandon",), ("abbrechen",), marked("to end this match without a winner, if the others agree")),
)
