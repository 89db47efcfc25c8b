"""Mails about a held move: until when it can be undone, that it was undone, or that there is none."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.endings import brief_ending
from emails.messages.kinds import MessageKind
from emails.messages.shared import position, your_turn
from pbem.i18n import _, marked
from pbem.play.inbox import commands
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _held(reader: MessageContext) -> list[Block]:
    until = format_moment(datetime.fromisoformat(reader.facts["until"]), reader.zone)
    word = commands.by_name()["undo"].word
    lead = _("Your move is kept; it is played on {moment}.", moment=until)
    how = _("Until then you may take it back: reply with the word “{word}”, alone on the first line.", word=word)
    move = _("Your move: {move}", move=reader.facts["move"])
    instead = [_("It takes the place of the one that you sent before.")] if reader.facts["replaces"] else []
    return [lead, how, Button(_("Take it back"), reader.turn_page), move, *instead]


def _undo_done(reader: MessageContext) -> list[Block]:
    lead = _("Your move was taken back; nothing was played.")
    return [lead, *(your_turn(reader) if reader.their_turn else position(reader))]


def _nothing_held(reader: MessageContext) -> list[Block]:
    lead = _("No move of yours is held, so there is nothing to take back.")
    page = f"{reader.config.base_url}/me/time"
    how = _("On the page of your time you choose whether your moves are held for some minutes before they are played.")
    choose: list[Block] = [] if reader.facts["minutes"] else [how, Button(_("Your time"), page)]
    return [lead, *choose, *brief_ending(reader)]


KINDS = (
    MessageKind(
        "held",
        _held,
        summary=marked("Your move in {game} is kept, and can be taken back on its page for some minutes."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "undone",
        _undo_done,
        summary=marked("Your move in {game} was taken back; nothing was played."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind("not undone", _nothing_held, is_unredacted=True, is_answer=True),
)
