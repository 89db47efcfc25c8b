"""Deciding in advance: what to play if something happens, as soon as it can be played, or always."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.i18n import _, marked
from pbem.play.conditional_moves import parser, plan_store, plans
from pbem.play.inbox.commands.base import RUNNING, Command, Wish
from pbem.play.lifecycle import replanning
from pbem.play.matches.match_state import course_of
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import API
from pbem.play.submissions.verdicts import DONE, REJECTED, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context

_ALL = frozenset({"", "all", "alles", "it all", "everything", "my plan", "the plan", "meinen plan", "den plan"})
"""What may stand behind the word that takes back a whole plan."""
_LINE = ("line ", "zeile ", "number ", "nummer ")
_FEW = 4
"""So few words behind `always` are meant as an order."""


def parted(ctx: Context, match: Match, submission: Submission, lines: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Part lines of a plan from others that somebody typed with them; nothing is taken out of what a program sent."""
    if submission.via == API or match.state != RUNNING or not parser.may_be_planned(lines):
        return [], lines
    return parser.parted(lines, plan_store.tongue(course_of(ctx, match), submission.holder))


def stands_first(lines: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether the first line that was typed was taken out of these others, as one of a plan."""
    return next((not other for line, other in zip(lines, others, strict=True) if line.strip()), False)


def _plan(wish: Wish, front: str) -> Verdict | None:
    course = course_of(wish.ctx, wish.match)
    first, tongue = f"{front} {wish.text}", plan_store.tongue(course, wish.submission.holder)
    meant = parser.is_planned(first, tongue) or (front == "always" and len(wish.text.split()) <= _FEW)
    if not meant:
        # Somebody writes a sentence, as in “If only I knew!”.
        return None
    lines, _others = parser.parted([*wish.below], tongue)
    return keep(wish.ctx, wish.match, wish.submission, [first, *lines])


def keep(ctx: Context, match: Match, submission: Submission, lines: Sequence[str], *, alone: bool = True) -> Verdict:
    """Add lines to the plan of whoever sent them, and show how they were understood.

    Where they came not `alone`, a mail about the rest shows that, and only why they were not is mailed.
    """
    try:
        plan = replanning.keep(ctx, match, submission.holder, lines)
    except plans.PlanError as refused:
        answer(ctx, match, submission, "plan refused", about=" plan", reason=str(refused), line=lines[0])
        return Verdict(REJECTED, str(refused))
    if alone:
        answer(ctx, match, submission, "plan", about=" plan", **_facts(ctx, match, submission, plan))
    return Verdict(DONE, "\n".join(plans.said(plan)))


def _shown(wish: Wish) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    course = course_of(ctx, match)
    plan = plan_store.present(ctx, course, submission.holder)
    examples = plan_store.examples(course, submission.holder)
    answer(ctx, match, submission, "plan", examples=examples, **_facts(ctx, match, submission, plan))
    return Verdict(DONE, "\n".join(plans.said(plan)) or _("You have planned nothing."))


def _forget(wish: Wish) -> Verdict | None:
    said = " ".join(wish.text.casefold().rstrip(".! ").split())
    number = next((said.removeprefix(word) for word in _LINE if said.startswith(word)), said)
    if number not in _ALL and not number.replace(".", "").isdecimal():
        # Somebody writes a sentence, as in “Forget it, I was joking”.
        return None
    ctx, match = wish.ctx, wish.match
    try:
        plan = replanning.forget(ctx, match, wish.submission.holder, "" if number in _ALL else number)
    except plans.PlanError as refused:
        answer(ctx, match, wish.submission, "plan refused", reason=str(refused), line=wish.text)
        return Verdict(REJECTED, str(refused))
    answer(ctx, match, wish.submission, "plan", forgot=True, **_facts(ctx, match, wish.submission, plan))
    return Verdict(DONE, "\n".join(plans.said(plan)) or _("You have planned nothing."))


def _facts(ctx: Context, match: Match, submission: Submission, plan: plans.Plan) -> dict[str, Any]:
    """Give what a mail says of a plan, and whether a move that follows from it waits for its moment."""
    return {"plan": plans.facts(plan), "waits": plan_store.waits(ctx, match, submission.holder)}


COMMANDS = (
    Command(
        "if",
        {"en": ("if", "when"), "de": ("wenn", "falls")},
        marked("with a condition, a colon and a move behind it, to have that played if it comes to that"),
        partial(_plan, front="if"),
        Right.ACT,
        frozenset({RUNNING}),
        takes=True,
        needs=True,
    ),
    Command(
        "when I can",
        {"en": ("when i can", "as soon as i can"), "de": ("sobald ich kann", "wenn ich kann")},
        marked("with a move behind it, to have it played as soon as it can be"),
        partial(_plan, front="when I can:"),
        Right.ACT,
        frozenset({RUNNING}),
        takes=True,
        needs=True,
    ),
    Command(
        "always",
        {"en": ("always",), "de": ("immer",)},
        marked("with a standing order of the game behind it, to have it followed until you take it back"),
        partial(_plan, front="always"),
        Right.ACT,
        frozenset({RUNNING}),
        takes=True,
        needs=True,
    ),
    Command(
        "plan",
        {"en": ("plan", "my plan"), "de": ("plan", "mein plan")},
        marked("to be told what you have planned, and what you could"),
        _shown,
        Right.ASK,
        frozenset({RUNNING}),
    ),
    Command(
        "forget",
        {"en": ("forget",), "de": ("vergiss",)},
        marked("to take back what you have planned; with a number behind it, that line of it"),
        _forget,
        Right.ACT,
        frozenset({RUNNING}),
        takes=True,
    ),
)
WORDS = frozenset(command.name for command in COMMANDS)
"""The names of these commands: on pages they have one of their own."""
