"""The command that lets the service play forced moves, or stops that."""

from __future__ import annotations

from pbem.i18n import _, marked
from pbem.play.inbox.commands import fold
from pbem.play.inbox.commands.base import Command, Invocation
from pbem.play.lifecycle import autoplay_setting
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import MatchState, SubmissionStatus

_ON = frozenset({"on", "yes", "an", "ein", "ja"})
_OFF = frozenset({"off", "no", "aus", "nein"})


def _set_forced(wish: Invocation) -> Verdict:
    ctx, match, holder = wish.ctx, wish.match, wish.submission.holder
    on = fold(wish.text) in _ON
    holder.player.auto_play_forced = on
    # In other matches it applies from the next turn on: this lock must not be held while waiting for theirs.
    autoplay_setting.apply(ctx, match, holder)
    answer(ctx, match, wish.submission, "forced", 0 if match.state == MatchState.INVITING else None, on=on)
    return Verdict(
        SubmissionStatus.DONE,
        _("Your only moves are played for you.") if on else _("You play all your moves yourself."),
    )


COMMANDS = (
    Command(
        "forced",
        {"en": ("forced",), "de": ("zwangszüge",)},
        marked("with “on” behind it, to have your move played for you where you have only one; “off” ends that"),
        _set_forced,
        Right.ACCOUNT,
        takes_text=True,
        needs_text=True,
        allowed_texts=_ON | _OFF,
    ),
)
