"""Mails about resigning, and about offers that all players must accept."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button, Say
from emails.messages.shared import position, reason, your_turn
from pbem.i18n import _
from pbem.play.inbox import commands
from pbem.play.offers import wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _resign(reader: Reader) -> list[Part]:
    lead = _("Do you want to resign? Nothing has happened yet.")
    then = _("To give up this match for good, reply with the words “resign yes” alone on the first line.")
    return [Say(lead), Say(then), *position(reader)]


def _offer(reader: Reader) -> list[Part]:
    facts = reader.facts
    known = commands.known()
    how = _(
        "To agree, reply with “{word}” alone on the first line; if you would rather not, with “{no}”. "
        "It stands until somebody moves.",
        word=known[facts["offer"]].word,
        no=known["no"].word,
    )
    lead = wording.proposed(facts["offer"], facts["by"], facts["detail"])
    page = Button(_("Agree or refuse on its page"), f"{reader.turn_page}/agreements")
    return [Say(lead), Say(how), page, *_stands(reader)]


def _agreeing(reader: Reader) -> list[Part]:
    return [Say(reader.facts["came"]), *_stands(reader)]


def _refused(reader: Reader) -> list[Part]:
    return [Say(wording.declined(reader.facts["offer"], reader.facts["by"])), *_stands(reader)]


def _not_agreed(reader: Reader) -> list[Part]:
    # The reason may reveal a move, so it is not in the first sentence, which inboxes show.
    return [Say(_("Nothing was done.")), Say(reader.facts["reason"]), *_stands(reader)]


def _taken_back(reader: Reader) -> list[Part]:
    return [Say(taken_back(reader.facts["took"], reader.facts["seat"])), *_stands(reader)]


def _paused(reader: Reader) -> list[Part]:
    until = datetime.fromisoformat(reader.facts["until"])
    operated = _("Whoever runs this service has stopped the clocks for a while.")
    lead = operated if reader.facts.get("operated") else _("Everybody agrees to stop the clocks for a while.")
    how = _("Moves are welcome all the same. To let the clocks go on sooner, reply with the word “{word}”.",
            word=commands.known()["resume"].word)  # fmt: skip
    if reader.facts.get("operated"):
        how = _("Moves are welcome all the same.")
    return [Say(lead), *reason(reader), Say(wording.stopped(until, reader.zone)), Say(how), *_stands(reader)]


def _resumed(reader: Reader) -> list[Part]:
    if reader.facts.get("operated"):
        lead = _("Whoever runs this service has let the clocks of this match go on.")
        return [Say(lead), *reason(reader), *_stands(reader)]
    return [Say(_("The clocks of this match go on: {name} has said so.", name=reader.facts["by"])), *_stands(reader)]


def _extended(reader: Reader) -> list[Part]:
    facts = reader.facts
    name, own = reader.names[facts["whose"] - 1], facts["whose"] == facts["seat"]
    lead = wording.extended(name, facts["days"], facts.get("giver", ""), own=own)
    return [Say(lead), *reason(reader), *_stands(reader)]


def taken_back(took: Mapping[str, Any], seat: int) -> str:
    """Return the sentence about a takeback for a seat."""
    return wording.taken_back(took["name"], own=took["seat"] == seat, alone=took["alone"])


def _stands(reader: Reader) -> list[Part]:
    return your_turn(reader) if reader.their_turn else position(reader)


LETTERS = {
    "resign?": _resign,
    "offer": _offer,
    "agreeing": _agreeing,
    "offer refused": _refused,
    "not agreed": _not_agreed,
    "taken back": _taken_back,
    "paused": _paused,
    "resumed": _resumed,
    "extended": _extended,
}
