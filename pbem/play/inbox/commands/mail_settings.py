"""Commands that stop mail, about one match or all, and start it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox.commands import CONFIRMATIONS, fold
from pbem.play.inbox.commands.base import Command, Invocation, done
from pbem.play.players import preferences, unsubscribes
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict

_MATCH_WORDS = frozenset(
    {"match", "this match", "game", "this game", "partie", "diese partie", "spiel", "dieses spiel"}
)
_ALL_WORDS = frozenset({"all", "all mail", "everything", "alle", "alles", "alle mails", "alle post"})
_ALL_CONFIRMED = frozenset(f"{every} {sure}" for every in _ALL_WORDS for sure in CONFIRMATIONS)


def _stop(call: Invocation) -> Verdict:
    which = fold(call.text)
    if which in _MATCH_WORDS:
        preferences.stop_mail(call.ctx, [call.holder])
        call.answer("stopped")
        return done(_("You get no more mail about this match, except its result."))
    if which in _ALL_WORDS:
        call.answer("stop all?")
        return done(_("To stop all mail about every match, confirm it: “stop all yes”."))
    if which in _ALL_CONFIRMED:
        return stop_all(call)
    call.answer("stop?")
    return done(_("Choose which mail to stop: “stop match” or “stop all”."))


def stop_all(call: Invocation) -> Verdict:
    """Stop all mail to the sender's address."""
    unsubscribes.unsubscribe(call.ctx, call.holder.email)
    call.answer("stopped all")
    return done(_("You get no more mail from this service."))


def _start(call: Invocation) -> Verdict:
    preferences.resume_mail(call.ctx, [call.holder])
    call.answer("started")
    return done(_("You get mail again."))


COMMANDS = (
    Command(
        "stop",
        {"en": ("stop",), "de": ("stopp", "stop", "halt")},
        marked("to stop mail (you choose which)"),
        _stop,
        Right.ACCOUNT,
        takes_text=True,
        allowed_texts=_MATCH_WORDS | _ALL_WORDS | _ALL_CONFIRMED,
    ),
    Command(
        "start", {"en": ("start",), "de": ("weiter",)}, marked("to get mail again after “stop”"), _start, Right.ASK
    ),
)
