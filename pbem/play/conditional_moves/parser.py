"""Parser of conditional moves: finds the lines of a plan in typed text, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from pbem.games import GameError, InvalidMove, NeverMet, foresight, typed_text
from pbem.i18n import _, marked, refusal_text
from pbem.play.conditional_moves.plans import (
    MAX_LINES,
    RESIGN,
    Line,
    Plan,
    PlanError,
    append_once,
    check_size,
    insert_below,
    too_long_error,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

MAX_LINE_CHARS = 200
"""Maximum characters of a line."""
WRAP_COLUMN = 55
"""Characters from which on a line may have been wrapped by a mail program."""
TAB_COLUMNS = 4
MAX_CONDITION_CHECKS = 500
"""Maximum candidates per mail that a game checks for being a condition: ten for each line of a plan."""

_INDENT = re.compile(r"[ \t\u00a0]*([-–—•·*.]*)[ \t\u00a0]*")
_THEN = re.compile(r"(?:(?:and|und) )?(?:then|dann)[\s,:]+", re.IGNORECASE)
_QUEUED = re.compile(
    r"(?:when|whenever|as queued as|sobald|wenn)\s+(?:i|ich)\s+(?:can|kann)\b[\s:,]*(.*)", re.IGNORECASE
)
_POLICY = re.compile(r"(?:always|immer)\b[\s:,]*(.*)", re.IGNORECASE)
_IF = re.compile(r"(?:if|when|wenn|falls)\b[\s:]*(.*)", re.IGNORECASE)
_CHAINED = re.compile(
    r"[;,]? (?=(?:(?:and|und) )?(?:then|dann),? (?:if|when|wenn|falls)\b)|; ?(?=(?:then|dann|if|when|wenn|falls)\b)",
    re.IGNORECASE,
)
_RESIGN_WORDS = {RESIGN, "aufgeben"}
_NEEDS_CONDITION = marked("A plan resigns only by a line with a condition, such as “if take 7: resign”.")
_SEPARATOR = re.compile(r",? (?:then|dann) |, ?| ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The grammar of plans for one game and View.

    `meets` is the game's own; `form` converts a move into canonical text as far as possible in advance, and rejects
    what cannot be a move; `orders` are the policies.
    """

    meets: Callable[[str], bool]
    form: Callable[[str], str]
    orders: Collection[str]

    def is_condition(self, condition: str) -> bool:
        """Return whether a text is a condition, met or not."""
        try:
            self.meets(condition)
        except NeverMet:
            return True
        except InvalidMove:
            return False
        return True


def partition(lines: Sequence[str], grammar: Grammar) -> tuple[list[str], list[str]]:
    """Split lines into those of a plan and all others, which keep their places.

    What looks like a plan is never sent to the chat, understood or not: it may reveal what others must not know. After
    a line that ends with a colon its move may follow on lines of its own, and a long line may have been wrapped.
    """
    planned: list[str] = []
    others: list[str] = []
    grammar = _with_limit(grammar)
    open_end, broken = False, False
    for line in lines:
        own = is_plan_line(line, grammar)
        goes_on = (open_end or broken) and bool(line.strip()) and not own
        if own:
            planned.append(line)
        elif goes_on and len(planned[-1]) <= MAX_LINE_CHARS:
            planned[-1] = f"{planned[-1]} {line.strip()}"
        others.append("" if own or goes_on else line)
        open_end = line.rstrip().endswith(":") if own else goes_on and open_end
        broken = (own or goes_on) and len(line) > WRAP_COLUMN
    return planned, others


def may_contain_plan(lines: Sequence[str]) -> bool:
    """Return whether any line begins like one of a plan, a cheap check without the game."""
    return any(_QUEUED.match(text) or _POLICY.match(text) or _IF.match(text) for text in map(_beginning, lines))


def is_plan_line(line: str, grammar: Grammar) -> bool:
    """Return whether a line looks like one of a plan."""
    text = _beginning(line)
    if _QUEUED.fullmatch(text):
        return True
    if order := _POLICY.fullmatch(text):
        return _normalise(order[1]) in grammar.orders
    clause = _IF.fullmatch(text)
    return clause is not None and (":" in clause[1] or any(_splits(clause[1], grammar)))


def parse(lines: Sequence[str], grammar: Grammar) -> Plan:
    """Parse lines as a plan; raises PlanError with a sentence for the first line that is not understood."""
    plan, path, resigned = Plan(), list[tuple[int, tuple[str, ...]]](), tuple[str, ...]()
    limited = _with_limit(grammar)
    lines = [line for line in lines if line.strip()]
    if len(lines) > MAX_LINES:
        raise too_long_error(len(lines))
    for line in lines:
        if len(line) > MAX_LINE_CHARS:
            raise PlanError(line, _("A line of a plan has at most {most} characters.", most=MAX_LINE_CHARS))
        marks = _INDENT.match(line)
        front = marks[0] if marks else ""
        indent = len(front.expandtabs(TAB_COLUMNS)) + len(marks[1] if marks else "")
        text = _strip_prefix(line)
        while path and path[-1][0] >= indent:
            path.pop()
        above = path[-1][1] if path else ()
        if queued := _QUEUED.fullmatch(text):
            _must_be_top_level(line, above)
            plan = replace(plan, queued=append_once(plan.queued, _parse_move(line, queued[1], grammar)))
        elif policy := _POLICY.fullmatch(text):
            _must_be_top_level(line, above)
            plan = replace(plan, policies=append_once(plan.policies, _parse_policy(line, policy[1], grammar)))
        else:
            for part in _CHAINED.split(text):
                bare = _THEN.sub("", part, count=1) if _THEN.match(part) else part
                condition, move = _parse_clause(line, bare, grammar, limited)
                if resigned and above[: len(resigned)] == resigned:
                    raise PlanError(line, _("After “{move}” no other line can follow.", move=RESIGN))
                plan = replace(plan, lines=insert_below(plan.lines, above, Line(condition, move)))
                above = (*above, condition.casefold())
                resigned = above if move == RESIGN else resigned
            path.append((indent, above))
    return check_size(plan)


def _strip_prefix(line: str) -> str:
    """Return a line without its indent, and without the word that joins it to the line above."""
    text = " ".join(_INDENT.sub("", line, count=1).replace("\N{FULLWIDTH COLON}", ":").split())
    return _THEN.sub("", text, count=1) if _THEN.match(text) else text


def _beginning(line: str) -> str:
    """Return the part of a line that decides whether it belongs to a plan."""
    return _strip_prefix(line[:MAX_LINE_CHARS])


def _with_limit(grammar: Grammar) -> Grammar:
    """Limit how often the game checks conditions; then any text counts as one, so that none reaches the chat."""
    checks = count()

    def meets(condition: str) -> bool:
        return next(checks) >= MAX_CONDITION_CHECKS or grammar.meets(condition)

    return replace(grammar, meets=meets)


def _parse_clause(line: str, text: str, grammar: Grammar, limited: Grammar) -> tuple[str, str]:
    """Parse `if CONDITION: MOVE`; `limited` limits the search for the end of the condition."""
    found = _IF.fullmatch(text)
    if found is None:
        raise PlanError(line, _("A line of a plan begins with “if”, “when I can” or “always”."))
    condition, move = next(_splits(found[1], limited), ("", ""))
    if not condition:
        condition, _colon, move = (part.strip() for part in found[1].rpartition(":"))
    if not condition:
        raise PlanError(line, _("Write such a line as “if CONDITION: MOVE”, with a colon before the move."))
    try:
        grammar.meets(condition)
    except InvalidMove as reason:
        raise PlanError(line, refusal_text(reason)) from None
    if _is_resignation(move):
        if foresight.is_unconditional(condition):
            raise PlanError(line, _(_NEEDS_CONDITION))
        return condition, RESIGN
    return condition, _parse_move(line, move, grammar)


def _splits(text: str, grammar: Grammar) -> Iterator[tuple[str, str]]:
    """Yield the ways to split a text into condition and move: at a colon, or without one at a word, comma or space."""
    colons = [*re.finditer(":", text)]
    for at in colons or reversed([*_SEPARATOR.finditer(text, 0, MAX_LINE_CHARS)]):
        condition, move = text[: at.start()].strip(), text[at.end() :].strip()
        if condition and move and grammar.is_condition(condition):
            yield condition, move


def _parse_move(line: str, text: str, grammar: Grammar) -> str:
    if not text.strip():
        raise PlanError(line, _("A move is missing after it."))
    if _is_resignation(text):
        raise PlanError(line, _(_NEEDS_CONDITION))
    try:
        return grammar.form(text.strip())
    except GameError as reason:
        raise PlanError(line, refusal_text(reason)) from None


def _parse_policy(line: str, text: str, grammar: Grammar) -> str:
    if (order := _normalise(text)) in grammar.orders:
        return order
    if _is_resignation(text):
        raise PlanError(line, _(_NEEDS_CONDITION))
    raise PlanError(line, _("There is no such standing order. There are: {orders}.", orders=", ".join(grammar.orders)))


def _is_resignation(move: str) -> bool:
    return _normalise(move).rstrip(" .!") in _RESIGN_WORDS


def _must_be_top_level(line: str, above: tuple[str, ...]) -> None:
    if above:
        raise PlanError(line, _("Only a line that begins with “if” can stand below another one."))


def _normalise(text: str) -> str:
    return typed_text.fold(text).casefold()
