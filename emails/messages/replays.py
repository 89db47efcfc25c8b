"""Mails that bring a finished match as one file, or explain why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from emails.messages.brief import briefly
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _replay(reader: Reader) -> list[Part]:
    lead = _("Your match of {game} is attached: one file that opens in any browser.", game=reader.game)
    how = _(
        "It shows every step, checks by itself that the deal was fair, and needs no network. Keep it, or pass it on."
    )
    return [Say(lead), Say(how), Button(_("The match step by step"), reader.replay_page), *briefly(reader)]


def _none(reader: Reader) -> list[Part]:
    return [Say(_("No file of the match was made.")), Say(reader.facts["reason"]), *briefly(reader)]


LETTERS = {"replay": _replay, "no replay": _none}
