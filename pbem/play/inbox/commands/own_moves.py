"""Commands about moves that the service plays for a player: to take back a held one, and to play forced ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.inbox.commands import fold
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation, done
from pbem.play.lifecycle import autoplay_setting, held_moves
from pbem.play.submissions.permissions import Right

if TYPE_CHECKING:
    from pbem.play.submissions.verdicts import Verdict

_ON = frozenset({"on", "yes", "an", "ein", "ja"})
_OFF = frozenset({"off", "no", "aus", "nein"})


def _undo(call: Invocation) -> Verdict:
    received_at = call.submission.received_at
    held = held_moves.find_held(call.ctx, call.holder, received_at)
    if held and held_moves.undo(call.ctx, held, received_at):
        call.answer("undone")
        return done(_("Your move was taken back; nothing was played."))
    call.answer("not undone", minutes=call.holder.player.hold_minutes)
    return done(_("No move of yours is held, so there is nothing to take back."))


def _set_forced(call: Invocation) -> Verdict:
    on = fold(call.text) in _ON
    call.holder.player.auto_play_forced = on
    # In other matches it applies from the next turn on: this lock must not be held while waiting for theirs.
    autoplay_setting.apply(call.ctx, call.match, call.holder)
    call.answer("forced", on=on)
    return done(_("Your forced moves are played for you.") if on else _("You play all your moves yourself."))


COMMANDS = (
    Command(
        "undo",
        {"en": ("undo",), "de": ("rückgängig",)},
        marked("to take back a move that is held and not yet played"),
        _undo,
        Right.ACT,
        frozenset({RUNNING}),
        needs_several_seats=True,
    ),
    Command(
        "forced",
        {"en": ("forced",), "de": ("zwangszüge",)},
        marked("followed by “on” to have your move played whenever only one is legal; “off” ends that"),
        _set_forced,
        Right.ACCOUNT,
        needs_text=True,
        allowed_texts=_ON | _OFF,
    ),
)
