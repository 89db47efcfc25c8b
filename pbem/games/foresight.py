"""Conditional moves: conditions that a View meets or not, and policies that choose a move.

A condition is judged when its seat's turn has come, on that seat's own View and on nothing else, so it reveals no
more than the page of the match does. `docs/play/conditional-moves.md` shows each game's language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pbem.games import typed_text
from pbem.games.errors import InvalidMove, NeverMet, Phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.games.game import Game, Move, View

Statements: TypeAlias = "dict[re.Pattern[str], Callable[[View, re.Match[str]], bool | None]]"
"""Judges by the pattern of their statement; a judge returns None if the line is another statement or none.

A judge raises InvalidMove for a statement that can hold in no match of this kind, and NeverMet for one that cannot
hold any more.
"""

FORCED = "forced"
"""Policy that every game has."""
MAX_CONDITION_LENGTH = 300
"""Maximum length of a condition, in characters."""
MAX_EXAMPLES = 3
"""Maximum number of conditions given as examples."""

LEADING_STATEMENT = re.compile(r"i(?:'m| am)?(?: to)? (lead|follow)(?:ing)?", re.IGNORECASE)
"""Pattern of a statement that the viewer is to do what its first group names."""
FOLLOWING_POLICIES: dict[str, Phrase] = {
    "follow low": Phrase("When I follow, play the lowest I may."),
    "follow high": Phrase("When I follow, play the highest I may."),
    "win": Phrase("When I follow, win as cheaply as I can; if I cannot, play the lowest I may."),
    "duck": Phrase("When I follow, play the highest that does not win; if all win, the lowest I may."),
}
"""Policies for answering a lead that is face up."""

_ALWAYS = frozenset({"always", "anything", "whatever", "i can", "it is my turn", "immer", "egal", "ich kann"})
_CONDITION_PREFIX = re.compile(r"(?:if|when|wenn|falls)\b[\s:]*", re.IGNORECASE)
_OR = re.compile(r"\s+(?:or|oder)\s+", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|und)\s+", re.IGNORECASE)
_NOTS = re.compile(r"(?:(?:not|unless|nicht)\s+)+", re.IGNORECASE)
_SEAT = re.compile(
    r"(?:seat|platz) ?0*([0-9]{1,3})(?: ?: ?| (?:(?:plays?|played|makes?|made|does|did|spielt)\b ?:? ?)?|$)(.*)",
    re.IGNORECASE,
)
_SHAPE = re.compile(r"[0-9]+")
_POLICY_PREFIX = re.compile(r"(?:always|immer)\b[\s:]*", re.IGNORECASE)


def is_unconditional(condition: str) -> bool:
    """Return whether a condition is met on every turn, because it says so in any game's words."""
    line = _CONDITION_PREFIX.sub("", typed_text.fold(condition).casefold(), count=1)
    return any(all(map(_says_always, _AND.split(some))) for some in _OR.split(line))


def _says_always(statement: str) -> bool:
    nots = _NOTS.match(statement)
    is_negated = nots is not None and len(nots[0].split()) % 2 == 1
    return not is_negated and _NOTS.sub("", statement, count=1) in _ALWAYS


class Foresight:
    """Conditions and policies of any game; a subclass adds those of its own game.

    The base knows moves of other seats by their text: those that look like one in the log or among the viewer's own.
    """

    statements: ClassVar[Statements] = {}
    """Statements about a View with their judges; the first verdict that is not None counts."""
    policies: ClassVar[dict[str, Phrase]] = {FORCED: Phrase("Play my only move whenever I have just one.")}
    """Policies, each with a sentence on what it chooses."""

    # -- overridden by games -------------------------------------------------------------------------

    def spelled(self, line: str) -> str:
        """Shorten pieces in a folded line to the form they have in moves."""
        return line

    def named(self, view: View, line: str) -> str | None:
        """Convert a spelled line that names another seat's move to canonical text; None if it names none.

        Raises InvalidMove for a move that exists in no match of this kind.
        """
        wanted = line.casefold()
        known = [*view.moves, *(move for _, move in unanswered_moves(view))]
        same = [move for move in known if move.casefold() == wanted]
        if same or any(_shape(move) == _shape(wanted) for move in known):
            return next(iter(same), line)
        return None

    def wished(self, view: View, line: str) -> str | None:
        """Convert a move of the viewer's own for a later turn to canonical text; None for a line that is none.

        The line is spelled. Raises InvalidMove as `named` does.
        """
        return self.named(view, line)

    def fits(self, move: str, named: str) -> bool:
        """Return whether a move is the one that was named, or has it as its part."""
        return move.casefold() == named.casefold()

    def never(self, view: View, named: str) -> NeverMet | None:  # noqa: ARG002
        """Return why no other seat can make a move any more; called only if none just has."""
        return None

    def seats(self, game: Game[Any], view: View) -> int:  # noqa: ARG002
        """Count the seats of a match."""
        return game.seats[-1]

    def examples(self, view: View) -> tuple[str, ...]:
        """Return some conditions that suit a View, the most useful first."""
        return (*dict.fromkeys(move for _, move in unanswered_moves(view)[::-1]), "always")[:MAX_EXAMPLES]

    def choose(self, view: View, policy: str) -> Move | None:  # noqa: ARG002
        """Choose among the moves of a View, which has some, by a policy of the game's own."""
        return None

    # -- called by Game ------------------------------------------------------------------------------

    def meets(self, game: Game[Any], view: View, condition: str) -> bool:
        """Return whether a View meets a condition (`Game.meets`)."""
        if len(condition) > MAX_CONDITION_LENGTH:
            raise InvalidMove("That is too long for a condition.")
        line = typed_text.fold(condition, game.arrow).rstrip(": ")
        if not line:
            raise InvalidMove("That line is empty.")
        return evaluate(line, lambda clause: self._met(game, view, clause))

    def follow(self, game: Game[Any], view: View, policy: str) -> Move | None:
        """Choose a move by a policy (`Game.follow`)."""
        line = typed_text.fold(policy[:MAX_CONDITION_LENGTH])
        key = _POLICY_PREFIX.sub("", line, count=1).casefold()
        if key not in self.policies:
            raise InvalidMove(
                "{game} has no standing order “{order}”. You can use: {orders}.",
                game=game.name, order=line, orders=tuple(self.policies),
            )  # fmt: skip
        if key != FORCED:
            return self.choose(view, key) if view.moves else None
        return view.moves[0] if view.moves_are_all and len(view.moves) == 1 else None

    def _met(self, game: Game[Any], view: View, line: str) -> bool:
        if line.casefold() in _ALWAYS:
            return True
        whose = _SEAT.fullmatch(line)
        if whose is None:
            matches = ((pattern.fullmatch(self.spelled(line)), judge) for pattern, judge in self.statements.items())
            verdicts = (judge(view, found) for found, judge in matches if found)
            shown = next((verdict for verdict in verdicts if verdict is not None), None)
            if shown is not None:
                return shown
        seats = {self._other(game, view, int(whose[1]))} if whose else None
        named = self.named(view, self.spelled(whose[2] if whose else line))
        if named is None:
            raise InvalidMove(
                "“{condition}” is not a condition in {game}. You can write, for example: {examples}.",
                condition=line,
                game=game.name,
                examples=tuple(Phrase("“{move}”", move=example) for example in self.examples(view)),
            )
        if any(self.fits(move, named) for seat, move in unanswered_moves(view) if seats is None or seat in seats):
            return True
        fault = self.never(view, named)
        if fault:
            raise fault
        return False

    def _other(self, game: Game[Any], view: View, seat: int) -> int:
        count = self.seats(game, view)
        if not 1 <= seat <= count:
            raise InvalidMove("There is no seat {seat}: the last one is seat {count}.", seat=seat, count=count)
        if seat == view.viewer:
            raise InvalidMove("Seat {seat} is yours. Name what another seat plays.", seat=seat)
        return seat


def unanswered_moves(view: View) -> list[tuple[int, str]]:
    """List the moves of others that a viewer has not answered yet, and the last known one of each seat.

    The last ones too, since in a sealed step the log shows nobody who moved first, and since a card played face down
    is shown only after the answer to it. What is hidden from the viewer is left out.
    """
    moves = [(entry["seat"], entry["move"]) for entry in view.log]
    own = max((at for at, (seat, _) in enumerate(moves) if seat == view.viewer), default=-1)
    known = [(at, seat, move) for at, (seat, move) in enumerate(moves) if move is not None and seat != view.viewer]
    last = {seat: at for at, seat, _ in known}
    return [(seat, move) for at, seat, move in known if at > own or last[seat] == at]


def choose_answer(
    policy: str, moves: Sequence[Move], height: Callable[[Move], int], wins: Callable[[Move], bool]
) -> Move:
    """Choose an answer to a lead by one of `FOLLOWING_POLICIES`."""
    low = min(moves, key=height)
    if policy == "win":
        return min(filter(wins, moves), key=height, default=low)
    if policy == "duck":
        return max((move for move in moves if not wins(move)), key=height, default=low)
    return low if policy == "follow low" else max(moves, key=height)


def evaluate(line: str, clause: Callable[[str], bool]) -> bool:
    """Judge clauses joined by `or`, `and` and `not`, from the loosest binding to the tightest.

    A clause that cannot be met any more spoils only what needs it.
    """
    line = _CONDITION_PREFIX.sub("", line, count=1) if _CONDITION_PREFIX.match(line) else line
    try:
        return clause(line)
    except NeverMet:
        raise
    except InvalidMove as wrong:
        unknown = wrong
    for joint, every in ((_OR, False), (_AND, True)):
        if len(parts := joint.split(line)) > 1:
            # Each is judged, even after one that decides, since it may be invalid.
            verdicts = [_verdict(part, clause) for part in parts]
            faults = [verdict for verdict in verdicts if isinstance(verdict, NeverMet)]
            if len(faults) == len(verdicts) or (every and faults):
                raise faults[0]
            return all(verdicts) if every else any(verdict is True for verdict in verdicts)
    if nots := _NOTS.match(line):
        denied = len(nots[0].split()) % 2 == 1
        verdict = _verdict(line[nots.end() :], clause)
        if isinstance(verdict, NeverMet) and not denied:
            raise verdict
        return (verdict is True) != denied
    raise unknown


def _verdict(line: str, clause: Callable[[str], bool]) -> bool | NeverMet:
    try:
        return evaluate(line, clause)
    except NeverMet as fault:
        return fault


def _shape(move: str) -> str:
    """Return what a move looks like, whatever numbers are in it."""
    return _SHAPE.sub("0", move.casefold())
