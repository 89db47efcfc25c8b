"""Plans of conditional moves as values, with functions to change, show and serialise them.

A plan has three parts: a tree of lines (`if take 3: take 7`, and below it what is played then), queued moves that wait
until they can be played (`when I can: 6-4 3-off`), and policies (`always follow low`). Everything here is pure;
`parser` parses typed text, `matching` follows a plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

RESIGN = "resign"
"""The move of a line that resigns; no game has a move of this text."""
MAX_LINES = 50
"""Maximum lines of a plan."""
MAX_QUOTED_CHARS = 80
"""Maximum characters that an error quotes of a line."""


class PlanError(Exception):
    """Rejects a plan, with a sentence for its author; the previous plan stays."""

    def __init__(self, line: str, reason: str) -> None:
        line = line if len(line) <= MAX_QUOTED_CHARS else f"{line[: MAX_QUOTED_CHARS - 1]}…"
        super().__init__(_("You wrote “{line}”. {reason}", line=line, reason=reason) if line else reason)


@dataclass(frozen=True, slots=True)
class Line:
    """A move for when a condition is met, and the lines for the turns after it."""

    condition: str
    move: str
    then: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A player's decisions: lines, queued moves that wait until they can be played, and policies."""

    lines: tuple[Line, ...] = ()
    queued: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether anything is planned."""
        return bool(self.lines or self.queued or self.policies)


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line of a plan with its number, to show and remove it: "2", or "2.1" below it."""

    number: str
    condition: str
    move: str


# -- changes ---------------------------------------------------------------------------------------


def merged(old: Plan, new: Plan) -> Plan:
    """Add a plan to another; a line for the same condition replaces the old one."""
    lines = old.lines
    for line in new.lines:
        lines = _insert(lines, line)
    queued, policies = dict.fromkeys([*old.queued, *new.queued]), dict.fromkeys([*old.policies, *new.policies])
    return check_size(Plan(lines, tuple(queued), tuple(policies)))


def without(plan: Plan, number: str) -> Plan:
    """Remove a line from a plan, with the lines below it; raises PlanError if there is no line of that number."""
    if number not in {one.number for one in numbered_lines(plan)}:
        raise PlanError("", _("Your plan has no line {number}.", number=number))
    at, *below = (int(part) - 1 for part in number.split("."))
    if at < len(plan.lines):
        return replace(plan, lines=_remove(plan.lines, at, *below))
    at -= len(plan.lines)
    if at < len(plan.queued):
        return replace(plan, queued=plan.queued[:at] + plan.queued[at + 1 :])
    at -= len(plan.queued)
    return replace(plan, policies=plan.policies[:at] + plan.policies[at + 1 :])


# -- text and data ---------------------------------------------------------------------------------


def numbered_lines(plan: Plan) -> list[NumberedLine]:
    """List the lines of a plan with their numbers."""
    found = [*_iter_numbered(plan.lines, "")]
    rest = [("", move) for move in plan.queued] + [(order, "") for order in plan.policies]
    return [*found, *(NumberedLine(str(at), *one) for at, one in enumerate(rest, len(plan.lines) + 1))]


def sentences(plan: Plan) -> list[str]:
    """Describe a plan as it was understood, one sentence for each line."""
    return [sentence(one) for one in numbered_lines(plan)]


def sentence(one: NumberedLine) -> str:
    """Describe a line of a plan as it was understood."""
    if not one.move:
        return _("{number}: always “{order}”, until you delete it.", number=one.number, order=one.condition)
    if not one.condition:
        return _("{number}: as soon as you can, you play “{move}”.", number=one.number, move=one.move)
    if one.move == RESIGN and "." in one.number:
        return _("{number}: then, if “{condition}”, you resign.", number=one.number, condition=one.condition)
    if one.move == RESIGN:
        return _("{number}: if “{condition}”, you resign.", number=one.number, condition=one.condition)
    if "." in one.number:
        return _("{number}: then, if “{condition}”, you play “{move}”.",
                 number=one.number, condition=one.condition, move=one.move)  # fmt: skip
    return _("{number}: if “{condition}”, you play “{move}”.",
             number=one.number, condition=one.condition, move=one.move)  # fmt: skip


def resignation_warning(moves: Collection[str]) -> str:
    """Return what the player of a plan with these moves must know, if it resigns; else an empty string."""
    warning = _("With this plan you would resign, and nobody asks you again.")
    return warning if RESIGN in moves else ""


def facts(plan: Plan) -> list[list[str]]:
    """Return a plan as facts for a mail: the number, the condition and the move of each line."""
    return [[one.number, one.condition, one.move] for one in numbered_lines(plan)]


def to_text(plan: Plan) -> str:
    """Format a plan as its player might have typed it."""
    queued = [f"when I can: {move}" for move in plan.queued]
    policies = [f"always {order}" for order in plan.policies]
    return "\n".join([*_iter_text(plan.lines, ""), *queued, *policies])


def to_data(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON data."""
    return {"lines": _lines_to_data(plan.lines), "soon": [*plan.queued], "standing": [*plan.policies]}


def from_data(stored: dict[str, Any]) -> Plan:
    """Load a plan from its JSON data."""
    return Plan(_lines_from_data(stored["lines"]), tuple(stored["soon"]), tuple(stored["standing"]))


# -- the tree --------------------------------------------------------------------------------------


def insert_below(lines: tuple[Line, ...], above: Sequence[str], line: Line) -> tuple[Line, ...]:
    """Insert a line below the lines whose conditions are `above`."""
    if not above:
        return _insert(lines, line)
    first, *rest = above
    return tuple(
        replace(one, then=insert_below(one.then, rest, line)) if one.condition.casefold() == first else one
        for one in lines
    )


def _insert(lines: tuple[Line, ...], line: Line) -> tuple[Line, ...]:
    """Insert a line among others: merge it with one for the same condition and move, replace one with another move."""
    for at, one in enumerate(lines):
        if one.condition.casefold() == line.condition.casefold():
            then = one.then if one.move == line.move else ()
            for below in line.then:
                then = _insert(then, below)
            return (*lines[:at], Line(line.condition, line.move, then), *lines[at + 1 :])
    return (*lines, line)


def _remove(lines: tuple[Line, ...], at: int, *below: int) -> tuple[Line, ...]:
    if not below:
        return (*lines[:at], *lines[at + 1 :])
    return (*lines[:at], replace(lines[at], then=_remove(lines[at].then, *below)), *lines[at + 1 :])


def _iter_numbered(lines: tuple[Line, ...], above: str) -> Iterator[NumberedLine]:
    for at, line in enumerate(lines, 1):
        yield NumberedLine(f"{above}{at}", line.condition, line.move)
        yield from _iter_numbered(line.then, f"{above}{at}.")


def _iter_text(lines: tuple[Line, ...], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}if {line.condition}: {line.move}"
        yield from _iter_text(line.then, f"{indent}  ")


def _lines_to_data(lines: tuple[Line, ...]) -> list[Any]:
    return [[line.condition, line.move, _lines_to_data(line.then)] for line in lines]


def _lines_from_data(stored: list[Any]) -> tuple[Line, ...]:
    return tuple(Line(condition, move, _lines_from_data(then)) for condition, move, then in stored)


def append_once(known: tuple[str, ...], one: str) -> tuple[str, ...]:
    """Append an entry unless it is there already."""
    return known if one in known else (*known, one)


def check_size(plan: Plan) -> Plan:
    """Return the plan unchanged; raises PlanError if it has too many lines."""
    count = len(numbered_lines(plan))
    if count > MAX_LINES:
        raise too_long_error(count)
    return plan


def too_long_error(count: int) -> PlanError:
    """Build the error for a plan with too many lines."""
    return PlanError(
        "", _("A plan has at most {most} lines; this one would have {count}.", most=MAX_LINES, count=count)
    )
