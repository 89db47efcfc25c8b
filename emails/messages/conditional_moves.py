"""Mails about conditional moves: the plan as it was parsed, or why it was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Button, TitledList
from emails.messages.endings import brief_ending
from emails.messages.kinds import MessageKind
from emails.messages.shared import AUTOMATIC_MOVE_NOTE
from pbem.i18n import _
from pbem.play.conditional_moves import plans
from pbem.play.inbox import commands

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def plan_summary(reader: MessageContext) -> list[Block]:
    """List the reader's conditional moves in a mail about something else, and why some were dropped."""
    missed = reader.facts.get("missed")
    dropped: list[Block] = [_("Your plan did not fit. {reason}", reason=missed)] if missed else []
    return [*dropped, *_plan_lines(reader)] if "plan" in reader.facts else dropped


def _plan(reader: MessageContext) -> list[Block]:
    known, facts = commands.by_name(), reader.facts
    if not facts["plan"]:
        return [_("You have planned nothing."), *_examples(reader), _plan_page(reader), *brief_ending(reader)]
    left = _("This is what you have planned now.")
    lead = left if facts.get("forgot") else _("This is your plan, as it was understood.")
    forget = known["forget"].word
    back = _("Nobody else learns that there is a plan. To take it back, reply “{word}”; for one line of it, “{one}”.",
             word=forget, one=f"{forget} {facts['plan'][0][0]}")  # fmt: skip
    if facts.get("waits"):
        return [lead, *_plan_lines(reader), _(AUTOMATIC_MOVE_NOTE), back, _plan_page(reader)]
    return [lead, *_plan_lines(reader), back, _plan_page(reader), *brief_ending(reader)]


def _plan_refused(reader: MessageContext) -> list[Block]:
    lead = _("Nothing was planned by this mail; what you had planned before stands.")
    return [lead, reader.facts["reason"], *_examples(reader), _plan_page(reader), *brief_ending(reader)]


def _plan_lines(reader: MessageContext) -> list[Block]:
    told = [plans.sentence(plans.NumberedLine(*one)) for one in reader.facts["plan"]]
    return [TitledList(_("Your plan:"), tuple(told))] if told else []


def _examples(reader: MessageContext) -> list[Block]:
    """List examples that are valid in this match."""
    examples = reader.facts.get("examples", ())
    lines = tuple(_("“{line}”", line=line) for line in examples)
    return [_("You can write, for example:"), BulletList(lines)] if lines else []


def _plan_page(reader: MessageContext) -> Button:
    return Button(_("Your plan, with all that can be said"), f"{reader.turn_page}/plan")


KINDS = (
    MessageKind("plan", _plan, has_plan_summary=False),
    MessageKind("plan refused", _plan_refused, has_plan_summary=False),
)
