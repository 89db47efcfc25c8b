"""Commands for conditional moves: a move to play if something happens, as soon as it is possible, or always."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.i18n import _, marked
from pbem.play.conditional_moves import parser, plan_store, plans
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation
from pbem.play.lifecycle import plan_changes
from pbem.play.matches.match_state import load_match
from pbem.play.notifications.replies import answer
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import API
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context

_WHOLE_PLAN = frozenset({"", "all", "alles", "it all", "everything", "my plan", "the plan", "meinen plan", "den plan"})
"""Texts after the word “forget” that mean the whole plan."""
_LINE_PREFIXES = ("line ", "zeile ", "number ", "nummer ")
_MAX_ORDER_WORDS = 4
"""Maximum words after `always` for which it is taken as a standing order without further check."""


def split_lines(
    ctx: Context, match: Match, submission: Submission, lines: Sequence[str]
) -> tuple[list[str], Sequence[str]]:
    """Split the lines of a plan from the other typed lines; what came by the API is not split."""
    if submission.via == API or match.state != RUNNING or not parser.may_contain_plan(lines):
        return [], lines
    return parser.partition(lines, plan_store.grammar_for(load_match(ctx, match), submission.holder))


def starts_with_plan(lines: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether the first typed line belongs to the plan, and so is blank in `others`."""
    return next((not other for line, other in zip(lines, others, strict=True) if line.strip()), False)


def _plan(wish: Invocation, front: str) -> Verdict | None:
    course = load_match(wish.ctx, wish.match)
    first, tongue = f"{front} {wish.text}", plan_store.grammar_for(course, wish.submission.holder)
    meant = parser.is_plan_line(first, tongue) or (front == "always" and len(wish.text.split()) <= _MAX_ORDER_WORDS)
    if not meant:
        # An ordinary sentence, such as “If only I knew!”.
        return None
    lines, _others = parser.partition([*wish.below], tongue)
    return add_lines(wish.ctx, wish.match, wish.submission, [first, *lines])


def add_lines(
    ctx: Context, match: Match, submission: Submission, lines: Sequence[str], *, alone: bool = True
) -> Verdict:
    """Add lines to their sender's plan, and answer with how they were understood.

    Unless they came `alone`, the mail about the rest shows the plan, and only a refusal is answered here.
    """
    try:
        plan = plan_changes.add_lines(ctx, match, submission.holder, lines)
    except plans.PlanError as refused:
        answer(ctx, match, submission, "plan refused", about=" plan", reason=str(refused), line=lines[0])
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    if alone:
        answer(ctx, match, submission, "plan", about=" plan", **_facts(ctx, match, submission, plan))
    return Verdict(SubmissionStatus.DONE, "\n".join(plans.sentences(plan)))


def _show(wish: Invocation) -> Verdict:
    ctx, match, submission = wish.ctx, wish.match, wish.submission
    course = load_match(ctx, match)
    plan = plan_store.current(ctx, course, submission.holder)
    examples = plan_store.examples(course, submission.holder)
    answer(ctx, match, submission, "plan", examples=examples, **_facts(ctx, match, submission, plan))
    return Verdict(SubmissionStatus.DONE, "\n".join(plans.sentences(plan)) or _("You have planned nothing."))


def _forget(wish: Invocation) -> Verdict | None:
    said = " ".join(wish.text.casefold().rstrip(".! ").split())
    number = next((said.removeprefix(word) for word in _LINE_PREFIXES if said.startswith(word)), said)
    if number not in _WHOLE_PLAN and not number.replace(".", "").isdecimal():
        # An ordinary sentence, such as “Forget it, I was joking”.
        return None
    ctx, match = wish.ctx, wish.match
    try:
        plan = plan_changes.remove_lines(ctx, match, wish.submission.holder, "" if number in _WHOLE_PLAN else number)
    except plans.PlanError as refused:
        answer(ctx, match, wish.submission, "plan refused", reason=str(refused), line=wish.text)
        return Verdict(SubmissionStatus.REJECTED, str(refused))
    answer(ctx, match, wish.submission, "plan", forgot=True, **_facts(ctx, match, wish.submission, plan))
    return Verdict(SubmissionStatus.DONE, "\n".join(plans.sentences(plan)) or _("You have planned nothing."))


def _facts(ctx: Context, match: Match, submission: Submission, plan: plans.Plan) -> dict[str, Any]:
    """Return what a mail says about a plan, and whether the service is about to play a move for it."""
    return {"plan": plans.facts(plan), "waits": plan_store.is_scheduled(ctx, match, submission.holder)}


COMMANDS = (
    Command(
        "if",
        {"en": ("if", "when"), "de": ("wenn", "falls")},
        marked("with a condition, a colon and a move behind it, to have that played if it comes to that"),
        partial(_plan, front="if"),
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "when I can",
        {"en": ("when i can", "as soon as i can"), "de": ("sobald ich kann", "wenn ich kann")},
        marked("with a move behind it, to have it played as soon as it can be"),
        partial(_plan, front="when I can:"),
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "always",
        {"en": ("always",), "de": ("immer",)},
        marked("with a standing order of the game behind it, to have it followed until you take it back"),
        partial(_plan, front="always"),
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "plan",
        {"en": ("plan", "my plan"), "de": ("plan", "mein plan")},
        marked("to be told what you have planned, and what you could"),
        _show,
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
        takes_text=True,
    ),
)
COMMAND_NAMES = frozenset(command.name for command in COMMANDS)
"""Names of these commands, which have a page of their own."""
