"""Commands for offers: a draw, a takeback, a pause, more time, or the end of a match."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import marked
from pbem.play.core.errors import Refused
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation
from pbem.play.lifecycle import agreements
from pbem.play.lifecycle.agreements import Participant
from pbem.play.notifications.replies import answer
from pbem.play.offers import time_extensions
from pbem.play.offers.wording import ABANDON, DRAW, MORE_TIME, PAUSE, TAKEBACK
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


def respond(
    wish: Invocation, *, agreed: bool, kind: str | None = None, until: datetime | None = None
) -> Verdict | None:
    """Apply a bare yes or no to the open offers of others, or to those of one `kind`; return None if none can be meant.

    Offers made after `until` are not meant.
    """
    if wish.match.state != RUNNING or wish.text or wish.below:
        return None
    if kind:
        say = agreements.agree if agreed else agreements.refuse
        return _apply(wish, lambda: say(_voice(wish), kind))
    proposed = agreements.unanswered_offers(wish.ctx, wish.match, wish.submission.holder)
    waiting = [offer for offer in proposed if until is None or offer.offered_at <= until]
    if not waiting or (agreed and len(waiting) > 1):
        return None
    if agreed:
        return _propose(wish, waiting[0].kind)
    return _apply(wish, lambda: agreements.refuse(_voice(wish), *(offer.kind for offer in waiting)))


def _propose(wish: Invocation, kind: str) -> Verdict:
    return _apply(wish, lambda: agreements.propose(_voice(wish), kind, time_extensions.parse_days(wish.text)))


def _resume(wish: Invocation) -> Verdict:
    return _apply(wish, lambda: agreements.resume(_voice(wish)))


def _apply(wish: Invocation, say: Callable[[], str]) -> Verdict:
    """Act on an offer; a player who gets no other mail about it is answered with the result."""
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    length = match.log_length
    try:
        with ctx.session.begin_nested():
            told = say()
    except Refused as refused:
        answer(ctx, match, submission, "not agreed", reason=str(refused))
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    if match.log_length == length:
        answer(ctx, match, submission, "agreeing", came=told)
    return Verdict(SubmissionStatus.DONE, told)


def _voice(wish: Invocation) -> Participant:
    return Participant(wish.ctx, wish.match, wish.submission.holder, wish.submission.message_id)


def _command(kind: str, english: tuple[str, ...], german: tuple[str, ...], about: str) -> Command:
    return Command(
        kind,
        {"en": english, "de": german},
        about,
        partial(_propose, kind=kind),
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=kind == MORE_TIME,
        needs_several_seats=kind != TAKEBACK,
    )


COMMANDS = (
    _command(DRAW, ("draw",), ("remis",), marked("to offer or to agree to a draw")),
    _command(
        TAKEBACK,
        ("takeback", "take back", "take it back"),
        ("zurücknehmen", "zurück nehmen", "rücknahme"),
        marked("to take back your last move, if the others agree and nothing has been shown since"),
    ),
    _command(
        PAUSE, ("pause",), ("pause", "pausieren"), marked("to stop the clocks of this match, if the others agree")
    ),
    Command(
        "resume",
        {"en": ("resume",), "de": ("fortsetzen",)},
        marked("to let the clocks of this match go on"),
        _resume,
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
    _command(
        MORE_TIME,
        ("more time",),
        ("mehr zeit",),
        marked("to ask for two more days, or for as many as you say; or to give a day to whom you wait for"),
    ),
    _command(ABANDON, ("abandon",), ("abbrechen",), marked("to end this match without a winner, if the others agree")),
)
