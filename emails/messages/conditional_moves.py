"""Mails about moves that the service plays for a player: conditional moves and forced ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import BulletList, Button, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import AUTOMATIC_MOVE_NOTE, brief_ending
from pbem.i18n import _, marked
from pbem.play.conditional_moves import plans

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def plan_summary(reader: MessageContext) -> list[Block]:
    """List the reader's conditional moves in a mail about something else, and why some were dropped."""
    missed = reader.facts.get("missed")
    dropped: list[Block] = [_("Your plan could not be played. {reason}", reason=missed)] if missed else []
    return [*dropped, *_plan_lines(reader)] if "plan" in reader.facts else dropped


def _plan(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if not facts["plan"]:
        return [_("Your plan is empty."), *_examples(reader), _plan_page(reader), *brief_ending(reader)]
    lead = _("This is your plan now.") if facts.get("forgot") else _("This is your plan, as we read it.")
    forget = reader.word("forget")
    back = _("Nobody else sees that you have a plan. To delete it, reply “{word}”; for one line of it, “{one}”.",
             word=forget, one=f"{forget} {facts['plan'][0][0]}")  # fmt: skip
    if facts.get("waits"):
        return [lead, *_plan_lines(reader), _(AUTOMATIC_MOVE_NOTE), back, _plan_page(reader)]
    return [lead, *_plan_lines(reader), back, _plan_page(reader), *brief_ending(reader)]


def _plan_refused(reader: MessageContext) -> list[Block]:
    lead = _("Your plan was not changed.")
    return [lead, reader.facts["reason"], *_examples(reader), _plan_page(reader), *brief_ending(reader)]


def _plan_lines(reader: MessageContext) -> list[Block]:
    lines = [plans.sentence(plans.NumberedLine(*one)) for one in reader.facts["plan"]]
    warning = plans.resignation_warning([move for _number, _condition, move in reader.facts["plan"]])
    return [TitledList(_("Your plan:"), tuple(lines)), *([warning] if warning else [])] if lines else []


def _examples(reader: MessageContext) -> list[Block]:
    """List examples that are valid in this match."""
    lines = tuple(_("“{line}”", line=line) for line in reader.facts.get("examples", ()))
    return [_("You can write, for example:"), BulletList(lines)] if lines else []


def _plan_page(reader: MessageContext) -> Button:
    return Button(_("Your plan, and all that it can say"), f"{reader.turn_page}/plan")


def _forced_moves(reader: MessageContext) -> list[Block]:
    if not reader.facts["on"]:
        return [_("You now play all your moves yourself. To have forced moves played for you, reply “forced on”.")]
    return [
        _("From now on, when you have only one move, we play it for you. Your next mail shows it."),
        _(
            "Where cards are hidden, we wait about as long as you usually take, so that nobody can tell by the time "
            "that you had no choice."
        ),
        _("To play all your moves yourself again, reply “forced off”."),
    ]


KINDS = (
    MessageKind("plan", _plan, subject=marked("Your plan"), has_plan_summary=False),
    MessageKind("plan refused", _plan_refused, subject=marked("Plan not understood"), has_plan_summary=False),
    MessageKind("forced", _forced_moves, subject=marked("Forced moves")),
)
