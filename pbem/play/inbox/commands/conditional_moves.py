"""Commands for conditional moves: a move to play if something happens, as soon as it is possible, or always."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.i18n import _, marked
from pbem.play.conditional_moves import parser, plan_store, plans
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox.commands.base import RUNNING, Command, Invocation, done
from pbem.play.lifecycle import plan_changes
from pbem.play.matches.match_state import load_match
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import API

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context
    from pbem.play.submissions.verdicts import Verdict

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


def _plan(call: Invocation, front: str) -> Verdict | None:
    first = f"{front} {call.text}"
    grammar = plan_store.grammar_for(load_match(call.ctx, call.match), call.holder)
    if not (parser.is_plan_line(first, grammar) or (front == "always" and len(call.text.split()) <= _MAX_ORDER_WORDS)):
        # An ordinary sentence, such as “If only I knew!”.
        return None
    lines, _others = parser.partition([*call.below], grammar)
    return add_lines(call.ctx, call.match, call.submission, [first, *lines])


def add_lines(
    ctx: Context, match: Match, submission: Submission, lines: Sequence[str], *, alone: bool = True
) -> Verdict:
    """Add lines to their sender's plan, and answer with how they were understood.

    Unless they came `alone`, the mail about the rest shows the plan, and only a refusal is answered here.
    """
    call = Invocation(ctx, match, submission, "")
    try:
        plan = plan_changes.add_lines(ctx, match, submission.holder, lines)
    except plans.PlanError as refused:
        return call.reject("plan refused", str(refused), about=" plan", line=lines[0])
    if alone:
        _answer(call, plan, about=" plan")
    return done("\n".join(plans.sentences(plan)))


def _show(call: Invocation) -> Verdict:
    course = load_match(call.ctx, call.match)
    examples = plan_store.examples(course, call.holder)
    return _answer(call, plan_store.current(call.ctx, course, call.holder), examples=examples)


def _forget(call: Invocation) -> Verdict | None:
    text = " ".join(call.text.casefold().rstrip(".! ").split())
    number = next((text.removeprefix(word) for word in _LINE_PREFIXES if text.startswith(word)), text)
    if number not in _WHOLE_PLAN and not number.replace(".", "").isdecimal():
        # An ordinary sentence, such as “Forget it, I was joking”.
        return None
    try:
        plan = plan_changes.remove_lines(call.ctx, call.match, call.holder, "" if number in _WHOLE_PLAN else number)
    except plans.PlanError as refused:
        return call.reject("plan refused", str(refused), line=call.text)
    return _answer(call, plan, forgot=True)


def _answer(call: Invocation, plan: plans.Plan, **facts: Any) -> Verdict:
    """Answer with a plan, and whether the service is about to play a move for it."""
    waits = turn_deadlines.has_scheduled_move(call.ctx, call.match, call.holder.seat)
    call.answer("plan", plan=plans.facts(plan), waits=waits, **facts)
    return done("\n".join(plans.sentences(plan)) or _("Your plan is empty."))


def _command(name: str, english: tuple[str, ...], german: tuple[str, ...], summary: str, front: str) -> Command:
    handler, states = partial(_plan, front=front), frozenset({RUNNING})
    return Command(name, {"en": english, "de": german}, summary, handler, Right.ACT, states, needs_text=True)


COMMANDS = (
    _command(
        "if",
        ("if", "when"),
        ("wenn", "falls"),
        marked("followed by a condition, a colon and a move to play that move if the condition is met"),
        "if",
    ),
    _command(
        "when I can",
        ("when i can", "as soon as i can"),
        ("sobald ich kann", "wenn ich kann"),
        marked("followed by a move to play it as soon as it is legal"),
        "when I can:",
    ),
    _command(
        "always",
        ("always",),
        ("immer",),
        marked("followed by a standing order of the game to follow it until you delete it"),
        "always",
    ),
    Command(
        "plan",
        {"en": ("plan", "my plan"), "de": ("plan", "mein plan")},
        marked("to see your plan, and examples of what it can contain"),
        _show,
        Right.ASK,
        frozenset({RUNNING}),
    ),
    Command(
        "forget",
        {"en": ("forget",), "de": ("vergiss",)},
        marked("to delete your plan, or, followed by a number, that line of it"),
        _forget,
        Right.ACT,
        frozenset({RUNNING}),
        takes_text=True,
    ),
)
COMMAND_NAMES = frozenset(command.name for command in COMMANDS)
"""Names of these commands, which have a page of their own."""
