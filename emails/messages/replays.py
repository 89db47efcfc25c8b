"""Mails that bring a finished match as one file, or explain why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.endings import brief_ending
from emails.messages.kinds import Files, MessageKind
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _replay(reader: MessageContext) -> list[Block]:
    lead = _("Your match of {game} is attached: one file that opens in any browser.", game=reader.game)
    how = _(
        "It shows every step, checks by itself that the deal was fair, and needs no network. Keep it, or pass it on."
    )
    return [lead, how, Button(_("The match step by step"), reader.replay_page), *brief_ending(reader)]


def _no_replay(reader: MessageContext) -> list[Block]:
    return [_("No file of the match was made."), reader.facts["reason"], *brief_ending(reader)]


KINDS = (
    MessageKind("replay", _replay, is_unredacted=True, files=Files.REPLAY),
    MessageKind("no replay", _no_replay, is_unredacted=True),
)
