"""Mails about a held move: until when it can be undone, that it was undone, or that there is none."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Button, Say
from emails.messages.brief import briefly
from emails.messages.shared import position, your_turn
from pbem.i18n import _
from pbem.play.inbox import commands
from pbem.time_format import moment

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _held(reader: Reader) -> list[Part]:
    until = moment(datetime.fromisoformat(reader.facts["until"]), reader.zone)
    word = commands.known()["undo"].word
    lead = _("Your move is kept; it is played on {moment}.", moment=until)
    how = _("Until then you may take it back: reply with the word “{word}”, alone on the first line.", word=word)
    move = _("Your move: {move}", move=reader.facts["move"])
    instead = [Say(_("It takes the place of the one that you sent before."))] if reader.facts["replaces"] else []
    return [Say(lead), Say(how), Button(_("Take it back"), reader.turn_page), Say(move), *instead]


def _undone(reader: Reader) -> list[Part]:
    lead = _("Your move was taken back; nothing was played.")
    return [Say(lead), *(your_turn(reader) if reader.their_turn else position(reader))]


def _not_undone(reader: Reader) -> list[Part]:
    lead = _("No move of yours is held, so there is nothing to take back.")
    page = f"{reader.config.base_url}/me/time"
    how = _("On the page of your time you choose whether your moves are held for some minutes before they are played.")
    choose: list[Part] = [] if reader.facts["minutes"] else [Say(how), Button(_("Your time"), page)]
    return [Say(lead), *choose, *briefly(reader)]


LETTERS = {"held": _held, "undone": _undone, "not undone": _not_undone}
