"""Plans: moves that somebody decides on in advance, from the lines they type to the move that follows from a View.

A plan is three things: a tree of lines (`if take 3: take 7`, and below it what is played then), moves that wait until
they can be played (`when I can: 6-4 3-off`), and standing orders (`always follow low`). Everything here is pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.games import GameError, InvalidMove, NeverMet, typed
from pbem.words import _, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from pbem.games import Move

LINES = 50
"""A plan has at most so many lines."""
LONGEST = 200
"""A line has at most so many characters."""
QUOTED = 80
"""A line that is not understood is quoted up to so many characters."""
WRAPPED = 55
"""A line that is longer than this may have been broken by a mail program."""
TAB = 4

_INDENT = re.compile(r"[ \t\u00a0]*([-–—•·*.]*)[ \t\u00a0]*")
_THEN = re.compile(r"(?:(?:and|und) )?(?:then|dann)[\s,:]+", re.IGNORECASE)
_SOON = re.compile(r"(?:when|whenever|as soon as|sobald|wenn)\s+(?:i|ich)\s+(?:can|kann)\b[\s:,]*(.*)", re.IGNORECASE)
_STANDING = re.compile(r"(?:always|immer)\b[\s:,]*(.*)", re.IGNORECASE)
_IF = re.compile(r"(?:if|when|wenn|falls)\b[\s:]*(.*)", re.IGNORECASE)
_CHAINED = re.compile(
    r"[;,]? (?=(?:(?:and|und) )?(?:then|dann),? (?:if|when|wenn|falls)\b)|; ?(?=(?:then|dann|if|when|wenn|falls)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r",? (?:then|dann) |, ?| ", re.IGNORECASE)


class PlanError(Exception):
    """Refuses a plan, with a sentence for whoever wrote it; what was planned before stays."""

    def __init__(self, line: str, reason: str) -> None:
        line = line if len(line) <= QUOTED else f"{line[: QUOTED - 1]}…"
        super().__init__(_("You wrote “{line}”. {reason}", line=line, reason=reason) if line else reason)


@dataclass(frozen=True, slots=True)
class Line:
    """A move for when a condition is met, and what follows in the turns after it."""

    condition: str
    move: str
    then: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody has decided: lines of play, moves that wait until they can be played, and standing orders."""

    lines: tuple[Line, ...] = ()
    soon: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether anything is planned."""
        return bool(self.lines or self.soon or self.standing)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line of a plan as it is shown and taken back: `number` is "2", or "2.1" below it."""

    number: str
    condition: str
    move: str


@dataclass(frozen=True, slots=True)
class Tongue:
    """What the words of a plan are measured by: the language of a game, as it is spoken at a View.

    `meets` is the game's own; `form` puts a move into canonical text as far as that can be told in advance, and
    refuses what has the form of none; `orders` are the standing orders.
    """

    meets: Callable[[str], bool]
    form: Callable[[str], str]
    orders: Collection[str]

    def understands(self, condition: str) -> bool:
        """Tell whether something is a condition, met or not."""
        try:
            self.meets(condition)
        except NeverMet:
            return True
        except InvalidMove:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Step:
    """What follows from a plan: the move to play, if any, and what is planned then.

    `missed` says why lines of play were dropped: "" where none were.
    """

    move: Move | None
    plan: Plan
    missed: str = ""


# -- from what was typed ---------------------------------------------------------------------------


def parted(lines: Sequence[str], tongue: Tongue) -> tuple[list[str], list[str]]:
    """Part lines that look like those of a plan from all others, which keep their places.

    What has the look of a plan is never words for the table, understood or not: it may name what others must not know.
    Below a line that ends with a colon its move may stand in lines of its own, and a long line may have been broken.
    """
    planned: list[str] = []
    others: list[str] = []
    open_end, broken = False, False
    for line in lines:
        own = is_planned(line, tongue)
        goes_on = (open_end or broken) and bool(line.strip()) and not own
        if own:
            planned.append(line)
        elif goes_on:
            planned[-1] = f"{planned[-1]} {line.strip()}"
        others.append("" if own or goes_on else line)
        open_end = line.rstrip().endswith(":") if own else goes_on and open_end
        broken = (own or goes_on) and len(line) > WRAPPED
    return planned, others


def may_be_planned(lines: Sequence[str]) -> bool:
    """Tell at no expense whether any line begins as those of plans do."""
    return any(_SOON.match(text) or _STANDING.match(text) or _IF.match(text) for text in map(_bare, lines))


def is_planned(line: str, tongue: Tongue) -> bool:
    """Tell whether a line looks like one of a plan."""
    text = _bare(line)
    if _SOON.fullmatch(text):
        return True
    if order := _STANDING.fullmatch(text):
        return _order(order[1]) in tongue.orders
    clause = _IF.fullmatch(text)
    return clause is not None and (":" in clause[1] or any(_understood(clause[1], tongue)))


def read(lines: Sequence[str], tongue: Tongue) -> Plan:
    """Understand lines as a plan; raises PlanError with a sentence for the first that is not understood."""
    plan, path = Plan(), list[tuple[int, tuple[str, ...]]]()
    for line in filter(str.strip, lines):
        if len(line) > LONGEST:
            raise PlanError(line, _("A line of a plan has at most {most} characters.", most=LONGEST))
        marks = _INDENT.match(line)
        front = marks[0] if marks else ""
        indent = len(front.expandtabs(TAB)) + len(marks[1] if marks else "")
        text = _bare(line)
        while path and path[-1][0] >= indent:
            path.pop()
        above = path[-1][1] if path else ()
        if soon := _SOON.fullmatch(text):
            plan = replace(plan, soon=_with(plan.soon, _move(line, soon[1], tongue, above)))
        elif order := _STANDING.fullmatch(text):
            plan = replace(plan, standing=_with(plan.standing, _standing(line, order[1], tongue, above)))
        else:
            for part in _CHAINED.split(text):
                condition, move = _clause(line, _THEN.sub("", part, count=1) if _THEN.match(part) else part, tongue)
                plan = replace(plan, lines=_grown(plan.lines, above, Line(condition, move)))
                above = (*above, condition.casefold())
            path.append((indent, above))
    return _not_too_long(plan)


def merged(old: Plan, new: Plan) -> Plan:
    """Add a plan to another; a line for the same condition takes the place of the old one."""
    lines = old.lines
    for line in new.lines:
        lines = _joined(lines, line)
    soon, standing = old.soon, old.standing
    for move in new.soon:
        soon = _with(soon, move)
    for order in new.standing:
        standing = _with(standing, order)
    return _not_too_long(Plan(lines, soon, standing))


def without(plan: Plan, number: str) -> Plan:
    """Take a line out of a plan, with what hangs below it; raises PlanError where there is none of that number."""
    if number not in {one.number for one in numbered(plan)}:
        raise PlanError("", _("Your plan has no line {number}.", number=number))
    at, *below = (int(part) - 1 for part in number.split("."))
    if at < len(plan.lines):
        return replace(plan, lines=_pruned(plan.lines, at, *below))
    at -= len(plan.lines)
    if at < len(plan.soon):
        return replace(plan, soon=plan.soon[:at] + plan.soon[at + 1 :])
    at -= len(plan.soon)
    return replace(plan, standing=plan.standing[:at] + plan.standing[at + 1 :])


# -- from a plan to words and data -----------------------------------------------------------------


def numbered(plan: Plan) -> list[Numbered]:
    """List the lines of a plan with their numbers."""
    found = [*_numbered(plan.lines, "")]
    rest = [("", move) for move in plan.soon] + [(order, "") for order in plan.standing]
    return [*found, *(Numbered(str(at), *one) for at, one in enumerate(rest, len(plan.lines) + 1))]


def said(plan: Plan) -> list[str]:
    """Say a plan as it was understood, a sentence for each line."""
    return [sentence(one) for one in numbered(plan)]


def sentence(one: Numbered) -> str:
    """Say a line of a plan as it was understood."""
    if not one.move:
        return _("{number}: always “{order}”, until you take it back.", number=one.number, order=one.condition)
    if not one.condition:
        return _("{number}: as soon as you can, you play “{move}”.", number=one.number, move=one.move)
    if "." in one.number:
        return _("{number}: then, if “{condition}”, you play “{move}”.",
                 number=one.number, condition=one.condition, move=one.move)  # fmt: skip
    return _("{number}: if “{condition}”, you play “{move}”.",
             number=one.number, condition=one.condition, move=one.move)  # fmt: skip


def facts(plan: Plan) -> list[list[str]]:
    """Give what a mail says of a plan: the number, the condition and the move of each line."""
    return [[one.number, one.condition, one.move] for one in numbered(plan)]


def written(plan: Plan) -> str:
    """Write a plan as its player might have typed it."""
    lines = [*_written(plan.lines, "")]
    lines += [f"when I can: {move}" for move in plan.soon]
    return "\n".join([*lines, *(f"always {order}" for order in plan.standing)])


def data(plan: Plan) -> dict[str, Any]:
    """Give a plan as plain data."""
    return {"lines": [_data(line) for line in plan.lines], "soon": [*plan.soon], "standing": [*plan.standing]}


def from_data(stored: dict[str, Any]) -> Plan:
    """Give the plan that was stored as plain data."""
    lines = tuple(_from_data(line) for line in stored["lines"])
    return Plan(lines, tuple(stored["soon"]), tuple(stored["standing"]))


# -- from a plan to a move -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """What a plan is judged by when its seat's turn has come: all of it is seen with the seat's own eyes.

    `concerned` is whether the lines of play are about this turn, `answered` whether another seat has moved since
    they were written or followed: then they are dropped where none of them fits.
    """

    meets: Callable[[str], bool]
    reads: Callable[[str], Move]
    follows: Callable[[str], Move | None]
    concerned: bool = True
    answered: bool = True


def step(plan: Plan, turn: Turn) -> Step:
    """Choose the move that follows from a plan: a line that fits, else a move that waited, else a standing order."""
    missed = ""
    if plan.lines and turn.concerned:
        line = next((line for line in plan.lines if _is_met(line.condition, turn)), None)
        if line is not None:
            try:
                return Step(turn.reads(line.move), replace(plan, lines=line.then))
            except GameError as reason:
                missed = _("“{move}” could not be played. {reason}", move=line.move, reason=refusal(reason))
        elif turn.answered:
            missed = _("None of its lines was for what has happened.")
        if missed:
            plan = replace(plan, lines=())
    for at, wish in enumerate(plan.soon):
        try:
            return Step(turn.reads(wish), replace(plan, soon=plan.soon[:at] + plan.soon[at + 1 :]), missed)
        except GameError:
            continue
    orders = (turn.follows(order) for order in plan.standing)
    return Step(next((move for move in orders if move is not None), None), plan, missed)


def after(plan: Plan, move: str) -> Plan | None:
    """Give what is planned after a player has made a move by hand; None where no line has it."""
    line = next((line for line in plan.lines if line.move == move), None)
    return None if line is None else replace(plan, lines=line.then)


def _is_met(condition: str, turn: Turn) -> bool:
    try:
        return turn.meets(condition)
    except GameError:
        return False


# -- a line ----------------------------------------------------------------------------------------


def _bare(line: str) -> str:
    """Give a line without its indent, and without the word that joins it to the line above."""
    text = " ".join(_INDENT.sub("", line, count=1).replace("\N{FULLWIDTH COLON}", ":").split())
    return _THEN.sub("", text, count=1) if _THEN.match(text) else text


def _clause(line: str, text: str, tongue: Tongue) -> tuple[str, str]:
    """Read `if CONDITION: MOVE`."""
    found = _IF.fullmatch(text)
    if found is None:
        reason = _("A line of a plan begins with “if”, “when I can” or “always”.")
        raise PlanError(line, reason)
    known = next(_understood(found[1], tongue), None)
    if known is None:
        condition, colon, move = found[1].rpartition(":")
        if not colon or not condition.strip():
            raise PlanError(line, _("Such a line is “if CONDITION: MOVE”, with a colon before the move."))
        known = condition.strip(), move.strip()
    condition, move = known
    try:
        tongue.meets(condition)
    except InvalidMove as reason:
        raise PlanError(line, refusal(reason)) from None
    return condition, _move(line, move, tongue)


def _understood(text: str, tongue: Tongue) -> Iterator[tuple[str, str]]:
    """Find where a condition ends and the move begins: at a colon, or where there is none at a word or a mark."""
    colons = [*re.finditer(":", text)]
    for at in colons or reversed([*_BETWEEN.finditer(text)]):
        condition, move = text[: at.start()].strip(), text[at.end() :].strip()
        if condition and move and tongue.understands(condition):
            yield condition, move


def _move(line: str, text: str, tongue: Tongue, above: tuple[str, ...] = ()) -> str:
    _on_top(line, above)
    if not text.strip():
        raise PlanError(line, _("A move is missing behind it."))
    try:
        return tongue.form(text.strip())
    except GameError as reason:
        raise PlanError(line, refusal(reason)) from None


def _standing(line: str, text: str, tongue: Tongue, above: tuple[str, ...]) -> str:
    _on_top(line, above)
    if (order := _order(text)) in tongue.orders:
        return order
    reason = _("There is no such standing order; there are: {orders}.", orders=", ".join(tongue.orders))
    raise PlanError(line, reason)


def _on_top(line: str, above: tuple[str, ...]) -> None:
    if above:
        raise PlanError(line, _("Only a line that begins with “if” may stand below another one."))


def _order(text: str) -> str:
    return typed.fold(text).casefold()


# -- the tree --------------------------------------------------------------------------------------


def _grown(lines: tuple[Line, ...], above: Sequence[str], line: Line) -> tuple[Line, ...]:
    """Add a line below those whose conditions are `above` it."""
    if not above:
        return _joined(lines, line)
    first, *rest = above
    return tuple(
        replace(one, then=_grown(one.then, rest, line)) if one.condition.casefold() == first else one for one in lines
    )


def _joined(lines: tuple[Line, ...], line: Line) -> tuple[Line, ...]:
    """Add a line beside others; one for the same condition and move grows by what follows, else it is replaced."""
    for at, one in enumerate(lines):
        if one.condition.casefold() == line.condition.casefold():
            then = one.then if one.move == line.move else ()
            for below in line.then:
                then = _joined(then, below)
            return (*lines[:at], Line(line.condition, line.move, then), *lines[at + 1 :])
    return (*lines, line)


def _pruned(lines: tuple[Line, ...], at: int, *below: int) -> tuple[Line, ...]:
    if not below:
        return (*lines[:at], *lines[at + 1 :])
    return (*lines[:at], replace(lines[at], then=_pruned(lines[at].then, *below)), *lines[at + 1 :])


def _numbered(lines: tuple[Line, ...], above: str) -> Iterator[Numbered]:
    for at, line in enumerate(lines, 1):
        yield Numbered(f"{above}{at}", line.condition, line.move)
        yield from _numbered(line.then, f"{above}{at}.")


def _written(lines: tuple[Line, ...], indent: str) -> Iterator[str]:
    for line in lines:
        yield f"{indent}if {line.condition}: {line.move}"
        yield from _written(line.then, f"{indent}  ")


def _data(line: Line) -> list[Any]:
    return [line.condition, line.move, [_data(below) for below in line.then]]


def _from_data(stored: list[Any]) -> Line:
    condition, move, then = stored
    return Line(condition, move, tuple(_from_data(below) for below in then))


def _with(known: tuple[str, ...], one: str) -> tuple[str, ...]:
    return known if one in known else (*known, one)


def _not_too_long(plan: Plan) -> Plan:
    count = len(numbered(plan))
    if count > LINES:
        raise PlanError("", _("A plan has at most {most} lines; this one would have {count}.", most=LINES, count=count))
    return plan
