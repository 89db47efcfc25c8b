"""Commands that stop mail, about one match or all, and start it again."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.inbox.commands import CONFIRMATIONS, fold
from pbem.play.inbox.commands.base import Command, Invocation
from pbem.play.notifications.replies import answer
from pbem.play.players import preferences, unsubscribes
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

_MATCH_WORDS = frozenset(
    {"match", "this match", "game", "this game", "partie", "diese partie", "spiel", "dieses spiel"}
)
_ALL_WORDS = frozenset({"all", "all mail", "everything", "alle", "alles", "alle mails", "alle post"})
_ALL_CONFIRMED = frozenset(f"{every} {sure}" for every in _ALL_WORDS for sure in CONFIRMATIONS)


def _stop(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    holder, which = submission.holder, fold(wish.text)
    ply = 0 if match.state == MatchState.INVITING else None
    if which in _MATCH_WORDS:
        preferences.stop_mail(ctx, [holder])
        answer(ctx, match, submission, "stopped", ply)
        return Verdict(SubmissionStatus.DONE, _("You get no more mail about this match, except how it ends."))
    if which in _ALL_WORDS:
        answer(ctx, match, submission, "stop all?", ply)
        return Verdict(
            SubmissionStatus.DONE, _("All mail stops, of every match, once you have said so again: “stop all yes”.")
        )
    if which in _ALL_CONFIRMED:
        return stop_all(wish)
    answer(ctx, match, submission, "stop?", ply)
    return Verdict(SubmissionStatus.DONE, _("Say which mail to stop, and it is done: “stop match” or “stop all”."))


def stop_all(wish: Invocation) -> Verdict:
    """Stop all mail to the sender's address."""
    unsubscribes.unsubscribe(wish.ctx, wish.submission.holder.email)
    answer(wish.ctx, wish.match, wish.submission, "stopped all", 0 if wish.match.state == MatchState.INVITING else None)
    return Verdict(SubmissionStatus.DONE, _("You get no more mail from here."))


def _start(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    preferences.resume_mail(ctx, [submission.holder])
    answer(ctx, match, submission, "started", 0 if match.state == MatchState.INVITING else None)
    return Verdict(SubmissionStatus.DONE, _("You are mailed again."))


COMMANDS = (
    Command(
        "stop",
        {"en": ("stop",), "de": ("stopp", "stop", "halt")},
        marked("to get no more mail (you are asked which)"),
        _stop,
        Right.ACCOUNT,
        takes_text=True,
        allowed_texts=_MATCH_WORDS | _ALL_WORDS | _ALL_CONFIRMED,
    ),
    Command(
        "start", {"en": ("start",), "de": ("weiter",)}, marked("to get mail again after “stop”"), _start, Right.ASK
    ),
)
