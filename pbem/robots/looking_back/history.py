"""Moves in force of a record: the positions around each, what chance drew for it, and whether a person made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.games import Chance, Move, Seat, find
from pbem.games.chain import MoveEntry
from pbem.games.chance import ContinuedChance, ObservedChance
from pbem.games.record import ENDINGS, effective_moves
from pbem.robots import choosing, identity
from pbem.robots.looking_back.effort import Effort
from pbem.robots.seeds import derive_for
from pbem.robots.verify import first_robots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games import Game
    from pbem.games.record import Record
    from pbem.robots.robot import Robot

Work: TypeAlias = "dict[str, Any]"
"""What has been found so far, as plain data; it is replaced by each piece of work, and never changed."""

_PURPOSE = "pbem-lookback-v1"


@dataclass(frozen=True, slots=True)
class Made:
    """A move in force, the positions around it, and the one with which its stage began."""

    ply: int
    seat: Seat
    move: Move
    by_person: bool
    begun: Any
    before: Any
    after: Any
    drawn: frozenset[str]
    """Labels that had been drawn before it."""
    draws: bool
    """Whether it drew labels that had not been drawn before."""


@dataclass(frozen=True, slots=True)
class History:
    """A match that is over, as its record tells it."""

    record: Record
    rules: Game[Any]
    robot: Robot[Any, Any]
    effort: Effort
    dealt: Any
    """First position."""
    moves: tuple[Made, ...]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.record.seats)

    @property
    def unit(self) -> str:
        """What values count: chances of 100, or points in a game for one."""
        return "chance" if self.seats > 1 else "points"

    @property
    def choices(self) -> tuple[Made, ...]:
        """The moves that people made."""
        return tuple(made for made in self.moves if made.by_person)

    @property
    def positions(self) -> tuple[Any, ...]:
        """The first position, and the one after each move."""
        return (self.dealt, *(made.after for made in self.moves))

    @property
    def draws(self) -> tuple[int, ...]:
        """Places of the positions that chance had a part in; 0 is the first one."""
        return (0, *(at for at, made in enumerate(self.moves, 1) if made.draws))

    def seed(self, *parts: object) -> bytes:
        """Return the seed of a part of the work."""
        return derive_for(_PURPOSE, self.record.secret, self.record.match, *parts)

    def redraw(self, at: int, seed: bytes) -> Any:
        """Return the position at a place as it would be if chance had drawn otherwise just before it."""
        if at == 0:
            return self.rules.setup(self.seats, self.record.options, Chance(seed))
        made = self.moves[at - 1]
        chance = ContinuedChance(seed, Chance(self.record.seed), made.drawn)
        return self.rules.apply(made.before, made.seat, made.move, chance)


def read(record: Record, effort: Effort | None = None) -> History:
    """Read a record; raises ValueError if there is nothing to look back on."""
    rules, robot = _rules(record), choosing.find(record.game)
    if robot is None or robot.rules is not rules:
        raise ValueError(f"no robot plays edition {record.edition} of {record.game}")
    chance = ObservedChance(Chance(record.seed))
    dealt = position = begun = rules.setup(len(record.seats), record.options, chance)
    moves = list[Made]()
    for entry, by_person in _in_force(record):
        drawn, seat, move = frozenset(chance.labels), Seat(entry.seat), Move(entry.move)
        after = rules.apply(position, seat, move, chance)
        draws = not chance.labels <= drawn
        moves.append(Made(entry.ply, seat, move, by_person, begun, position, after, drawn, draws))
        if rules.stage(after) != rules.stage(position):
            begun = after
        position = after
    ending = record.result.get("ending")
    if ending not in ENDINGS or (ending == "finished") != (rules.outcome(position) is not None):
        raise ValueError("the match is not over")
    if not moves:
        raise ValueError("nobody has moved")
    return History(record, rules, robot, effort or Effort.of(robot), dealt, tuple(moves))


def _rules(record: Record) -> Game[Any]:
    try:
        return find(record.game, record.edition)
    except KeyError as unknown:
        raise ValueError(unknown.args[0]) from None


def _in_force(record: Record) -> Iterator[tuple[MoveEntry, bool]]:
    """Yield the moves that were not taken back, each with whether a person made it."""
    robots, kept = first_robots(record), {entry.ply for entry in effective_moves(record.log)}
    for entry in record.log:
        if isinstance(entry, MoveEntry):
            if entry.ply in kept:
                yield entry, robots.get(entry.seat) is None
        elif entry.event == "substituted" and entry.seat is not None:
            robots[entry.seat] = identity.parse_detail(dict(entry.detail))
