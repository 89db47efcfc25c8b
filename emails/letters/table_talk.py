"""Letters about what players say to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.letters.blocks import spoken
from emails.letters.brief import briefly
from emails.parts import Say
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _said(reader: Reader) -> list[Part]:
    names = list(dict.fromkeys(one["name"] for one in reader.facts["talk"]))
    lead = _("{name} says something to the table.", name=names[-1]) if names else _("Something was said at your table.")
    how = _("To answer, reply with the word “say” and your words behind it.")
    return [Say(lead), *spoken(reader), Say(how), *briefly(reader)]


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


LETTERS = {
    "said": _said,
    "said so": _said_so,
    "not said": _not_said,
    "talks?": _asked,
    "talks": _talks,
    "talks not": _talks_not,
}
