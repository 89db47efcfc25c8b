"""Mails about a rematch that exists already or was refused, or a fork that was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Say
from pbem.i18n import _
from pbem.states import MatchState

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _waits(reader: Reader) -> list[Part]:
    state = reader.facts["state"]
    if state == MatchState.INVITING:
        lead = _("You are in for the rematch of {game}; it begins when all have accepted.", game=reader.game)
    elif state == MatchState.RUNNING:
        lead = _("The rematch of {game} has begun already: there are mails about it.", game=reader.game)
    else:
        lead = _("There was a rematch of {game} already. You may start another match.", game=reader.game)
    return [Say(lead)]


def _none(reader: Reader) -> list[Part]:
    return [Say(_("No rematch was made.")), Say(reader.facts["reason"])]


def _no_fork(reader: Reader) -> list[Part]:
    return [Say(_("No match for practice was made.")), Say(reader.facts["reason"])]


LETTERS = {"rematch waits": _waits, "no rematch": _none, "no fork": _no_fork}
