"""Mails about the chat of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Links, Say
from emails.messages.brief import briefly
from emails.messages.shared import spoken
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _said(reader: Reader) -> list[Part]:
    names = list(dict.fromkeys(one["name"] for one in reader.facts["talk"]))
    lead = _("{name} says something to the table.", name=names[-1]) if names else _("Something was said at your table.")
    how = _("To answer, reply with the word “say” and your words behind it.")
    page = Links(((_("All that was said; mute or report somebody"), f"{reader.turn_page}/talk"),))
    return [Say(lead), *spoken(reader), Say(how), *briefly(reader), page]


def _said_so(reader: Reader) -> list[Part]:
    return [Say(_("Your words went to the table.")), *spoken(reader), *briefly(reader)]


def _not_said(reader: Reader) -> list[Part]:
    return [Say(_("Nothing went to the table.")), Say(reader.facts["reason"]), *briefly(reader)]


def _asked(reader: Reader) -> list[Part]:
    lead = _("Your move was played. Shall the table read what you write below your moves?")
    wrote = _("This time you wrote: “{text}” Nobody has read it yet.", text=reader.facts["words"])
    how = _(
        "Reply with the word “yes” and it goes to {others} with the next mail, and so do the words below your later "
        "moves. Reply with “no”, or not at all, and nobody reads them. You are asked only once in this match.",
        others=reader.others,
    )
    return [Say(lead), Say(wrote), Say(how), *briefly(reader)]


def _talks(reader: Reader) -> list[Part]:
    lead = _("From now on what you write below your moves goes to {others}.", others=reader.others)
    waited = [Say(_("What you wrote last goes with the next mail."))] if reader.facts["waited"] else []
    how = _("Your signature stays behind. If you change your mind, reply with the word “no”.")
    return [Say(lead), *waited, Say(how), *briefly(reader)]


def _talks_not(reader: Reader) -> list[Part]:
    lead = _("Nobody reads what you write below your moves.")
    how = _("To say something to the table, reply with the word “say” and your words behind it.")
    again = _("If you change your mind, reply with the word “yes”.")
    return [Say(lead), Say(how), Say(again), *briefly(reader)]


def _muted(reader: Reader) -> list[Part]:
    name = reader.facts["whom"]
    lead = _("You are told nothing more of what {name} says, at any table. {name} is not told of this.", name=name)
    return [Say(lead), Say(_("To hear {name} again, reply “unmute {name}”.", name=name)), *briefly(reader)]


def _unmuted(reader: Reader) -> list[Part]:
    return [Say(_("You are told again what {name} says.", name=reader.facts["whom"])), *briefly(reader)]


def _reported(reader: Reader) -> list[Part]:
    lead = _("Thank you. Whoever runs this service will read it; {name} and the table are not told.",
             name=reader.facts["whom"])  # fmt: skip
    mute = _("To be told nothing more of what {name} says, reply “mute {name}”.", name=reader.facts["whom"])
    return [Say(lead), Say(mute), *briefly(reader)]


def _whom(reader: Reader) -> list[Part]:
    lead = _("Nothing was done: say whom you mean, by name.")
    return [Say(lead), Say(_("With you at the table: {others}.", others=reader.others)), *briefly(reader)]


def _report(reader: Reader) -> list[Part]:
    """Build the report of a message for the operator, who alone gets the addresses."""
    facts = reader.facts
    by, about = (f"{name} <{email}>" for name, email in (facts["by"], facts["about"]))
    said = [Say(f"What was said: “{facts['said']}”")] if facts["said"] else []
    wrote = [Say(f"{facts['by'][0]} writes: {facts['text']}")] if facts["text"] else []
    return [Say(f"{by} reports {about}, in match {facts['match']}."), *said, *wrote]


LETTERS = {
    "said": _said,
    "said so": _said_so,
    "not said": _not_said,
    "talks?": _asked,
    "talks": _talks,
    "talks not": _talks_not,
    "muted": _muted,
    "unmuted": _unmuted,
    "reported": _reported,
    "whom?": _whom,
    "report": _report,
}
