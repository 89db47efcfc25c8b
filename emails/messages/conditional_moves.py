"""Mails about conditional moves: the plan as it was parsed, or why it was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Points, Say, Tell
from emails.messages.brief import briefly
from emails.messages.shared import COMING
from pbem.i18n import _
from pbem.play.conditional_moves import plans
from pbem.play.inbox import commands

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def planned(reader: Reader) -> list[Part]:
    """List the reader's conditional moves in a mail about something else, and why some were dropped."""
    missed = reader.facts.get("missed")
    dropped: list[Part] = [Say(_("Your plan did not fit. {reason}", reason=missed))] if missed else []
    return [*dropped, *_lines(reader)] if "plan" in reader.facts else dropped


def _plan(reader: Reader) -> list[Part]:
    known, facts = commands.known(), reader.facts
    if not facts["plan"]:
        return [Say(_("You have planned nothing.")), *_how(reader), _page(reader), *briefly(reader)]
    left = _("This is what you have planned now.")
    lead = left if facts.get("forgot") else _("This is your plan, as it was understood.")
    forget = known["forget"].word
    back = _("Nobody else learns that there is a plan. To take it back, reply “{word}”; for one line of it, “{one}”.",
             word=forget, one=f"{forget} {facts['plan'][0][0]}")  # fmt: skip
    if facts.get("waits"):
        return [Say(lead), *_lines(reader), Say(_(COMING)), Say(back), _page(reader)]
    return [Say(lead), *_lines(reader), Say(back), _page(reader), *briefly(reader)]


def _refused(reader: Reader) -> list[Part]:
    lead = _("Nothing was planned by this mail; what you had planned before stands.")
    return [Say(lead), Say(reader.facts["reason"]), *_how(reader), _page(reader), *briefly(reader)]


def _lines(reader: Reader) -> list[Part]:
    told = [plans.sentence(plans.Numbered(*one)) for one in reader.facts["plan"]]
    return [Tell(_("Your plan:"), tuple(told))] if told else []


def _how(reader: Reader) -> list[Part]:
    """List examples that are valid in this match."""
    examples = reader.facts.get("examples", ())
    lines = tuple(_("“{line}”", line=line) for line in examples)
    return [Say(_("You can write, for example:")), Points(lines)] if lines else []


def _page(reader: Reader) -> Button:
    return Button(_("Your plan, with all that can be said"), f"{reader.turn_page}/plan")


LETTERS = {"plan": _plan, "plan refused": _refused}
