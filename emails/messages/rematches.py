"""Mails about a rematch that exists already or was refused, or a fork that was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.messages.kinds import MessageKind
from pbem.i18n import _
from pbem.states import MatchState

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _rematch_exists(reader: MessageContext) -> list[Block]:
    state = reader.facts["state"]
    if state == MatchState.INVITING:
        lead = _("You are in for the rematch of {game}; it begins when all have accepted.", game=reader.game)
    elif state == MatchState.RUNNING:
        lead = _("The rematch of {game} has begun already: there are mails about it.", game=reader.game)
    else:
        lead = _("There was a rematch of {game} already. You may start another match.", game=reader.game)
    return [lead]


def _no_rematch(reader: MessageContext) -> list[Block]:
    return [_("No rematch was made."), reader.facts["reason"]]


def _no_fork(reader: MessageContext) -> list[Block]:
    return [_("No match for practice was made."), reader.facts["reason"]]


KINDS = (
    MessageKind("rematch waits", _rematch_exists),
    MessageKind("no rematch", _no_rematch),
    MessageKind("no fork", _no_fork),
)
