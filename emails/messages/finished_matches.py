"""Mails after a match: about a rematch or a fork of it, and with its replay as one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import Files, MessageKind
from emails.messages.shared import brief_ending
from pbem.i18n import _, marked
from pbem.states import MatchState

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _rematch_exists(reader: MessageContext) -> list[Block]:
    state, game = reader.facts["state"], reader.game
    if state == MatchState.INVITING:
        return [_("You joined the rematch of {game}. It begins when everybody has accepted.", game=game)]
    if state == MatchState.RUNNING:
        return [_("The rematch of {game} has already begun.", game=game)]
    return [_("There was already a rematch of {game}. You can start another match.", game=game)]


def _no_rematch(reader: MessageContext) -> list[Block]:
    return [_("No rematch was created."), reader.facts["reason"]]


def _no_fork(reader: MessageContext) -> list[Block]:
    return [_("No practice match was created."), reader.facts["reason"]]


def _replay(reader: MessageContext) -> list[Block]:
    lead = _("Your match of {game} is attached: one file that opens in any browser.", game=reader.game)
    how = _(
        "It shows every step, checks by itself that the deal was fair, and needs no network. Keep it, or pass it on."
    )
    return [lead, how, Button(_("The match step by step"), reader.replay_page), *brief_ending(reader)]


def _no_replay(reader: MessageContext) -> list[Block]:
    return [_("No file of the match was created."), reader.facts["reason"], *brief_ending(reader)]


KINDS = (
    MessageKind("rematch waits", _rematch_exists, subject=marked("The rematch")),
    MessageKind("no rematch", _no_rematch, subject=marked("No rematch")),
    MessageKind("no fork", _no_fork, subject=marked("No practice match")),
    MessageKind("replay", _replay, subject=marked("The match as one file"), is_unredacted=True, files=Files.REPLAY),
    MessageKind("no replay", _no_replay, subject=marked("No file was created"), is_unredacted=True),
)
