"""Commands for the chat: to write to it, mute or unmute a player, and report one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.chat import conversation, messages
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Handler, Invocation, done
from pbem.play.moderation import abuse_reports, mutes
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder


def _chat(call: Invocation) -> Verdict:
    text = messages.message_text([call.text, *call.below], call.holder.name) or messages.sanitise(call.text)
    if not conversation.post(call.ctx, call.match, call.holder, text, call.submission.id):
        return call.reject("not said", _(messages.LIMIT_REACHED))
    call.answer("said so", wrote=text)
    return done(_("Your message was sent: “{text}”", text=text))


def _mute(call: Invocation, *, muted: bool) -> Verdict:
    player, _rest = _find_player(call)
    if player is None:
        return _ask_whom(call)
    (mutes.mute if muted else mutes.unmute)(call.ctx, call.holder.player_id, player.player_id)
    call.answer("muted" if muted else "unmuted", whom=player.name)
    if muted:
        return done(_("You no longer get messages from {name}.", name=player.name))
    return done(_("You get messages from {name} again.", name=player.name))


def _report(call: Invocation) -> Verdict:
    player, rest = _find_player(call)
    if player is None:
        return _ask_whom(call)
    text = " ".join([rest, *map(str.strip, call.below)]).strip()
    if not abuse_reports.submit(call.ctx, call.match, call.holder, player, text):
        return call.reject("not said", _(messages.LIMIT_REACHED))
    call.answer("reported", whom=player.name)
    return done(_("Your report was sent to the operator."))


def _find_player(call: Invocation) -> tuple[SeatHolder | None, str]:
    """Find the player whom a command names, and the text after the name; between two players no name is needed."""
    present = conversation.other_players(call.ctx, call.match, call.holder)
    player, rest = conversation.split_name(present, call.text.strip())
    return (present[0], rest) if player is None and len(present) == 1 else (player, rest)


def _ask_whom(call: Invocation) -> Verdict:
    call.answer("whom?")
    return Verdict(SubmissionStatus.REJECTED, _("Nothing was done. Add the name of the player you mean."))


def _command(
    name: str, german: tuple[str, ...], summary: str, handler: Handler, *, needs_text: bool = False
) -> Command:
    return Command(
        name,
        {"en": (name,), "de": german},
        summary,
        handler,
        Right.ACT,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_text=needs_text,
        allows_move_below=needs_text,
        needs_several_seats=True,
    )


COMMANDS = (
    _command(
        "say",
        ("sage", "sag"),
        marked("followed by a message to send it to the other players"),
        _chat,
        needs_text=True,
    ),
    _command(
        "mute", ("stumm",), marked("followed by a player’s name to hide their messages"), partial(_mute, muted=True)
    ),
    _command(
        "unmute",
        ("laut",),
        marked("followed by a player’s name to show their messages again"),
        partial(_mute, muted=False),
    ),
    _command(
        "report",
        ("melden",),
        marked("followed by a player’s name and a reason to report them to the operator; nobody else is told"),
        _report,
    ),
)
