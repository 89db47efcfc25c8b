"""Verification of a record's robots: each of their moves is chosen again, from what its seat could know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.games import Seat
from pbem.games.chain import EventEntry
from pbem.games.verify import UnsoundError
from pbem.robots import identity
from pbem.robots.choosing import QUICK_LEVELS, choose_quickly, edition, levels, think
from pbem.robots.seeds import derive_seed
from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.games import Game, Move
    from pbem.games.record import Record
    from pbem.games.verify import VerifiedEntry
    from pbem.robots.identity import Identity


@dataclass(frozen=True, slots=True)
class RobotMove:
    """A move of a robot in a record: its ply, and the position and ply with which its stage began."""

    robot: Identity
    seat: Seat
    ply: int
    move: str
    game: Game[Any]
    position: Any
    stage_ply: int


def check_robots(record: Record, entries: Iterable[VerifiedEntry]) -> str | None:
    """Choose each robot's move again; return a sentence on what holds, or None if no robot played.

    `entries` are those of the record's log, as they were verified. Raises UnsoundError with the first move that a robot
    would not have made. A move that was not thought about in time is the one that the game suggests.
    """
    made = list(robot_moves(record, entries))
    here = [each for each in made if _is_known(record.game, each.robot)]
    late = sum(_is_late(record, each) for each in here)
    if not made:
        return None
    finding = f"The robots chose as they do: {len(here)} of {len(made)} moves reproduced."
    if late:
        finding += f" {late} of them without thinking, because it took too long."
    if len(here) < len(made):
        finding += " The others are of an edition or a level that this installation does not have."
    return finding


def robot_moves(record: Record, entries: Iterable[VerifiedEntry]) -> Iterator[RobotMove]:
    """Yield the moves of robots in a verified record."""
    robots = first_robots(record)
    begun: tuple[Any, int] | None = None
    last_ply = 0
    for walked in entries:
        entry, game = walked.entry, walked.game
        position, stage_ply = begun or (walked.before, 1)
        if isinstance(entry, EventEntry):
            if entry.event == "substituted" and entry.seat is not None:
                robots[entry.seat] = identity.parse_detail(dict(entry.detail))
            if entry.event == "taken_back":
                begun = walked.after, last_ply + 1
            continue
        if robot := robots.get(entry.seat):
            yield RobotMove(robot, Seat(entry.seat), entry.ply, entry.move, game, position, stage_ply)
        last_ply = entry.ply
        if game.stage(walked.after) != game.stage(walked.before):
            begun = walked.after, entry.ply + 1


def first_robots(record: Record) -> dict[int, Identity | None]:
    """Return who began as a robot, by seat: a seat that was taken over had somebody else before."""
    taken = {entry.seat for entry in record.log if isinstance(entry, EventEntry) and entry.event == "substituted"}
    return {seat: None if seat in taken else identity.parse_name(name) for seat, name in enumerate(record.seats, 1)}


def _is_known(game: str, robot: Identity) -> bool:
    return robot.edition == edition(game) and robot.level in levels(game)


def _is_late(record: Record, made: RobotMove) -> bool:
    """Check a robot's move; return whether it was made without the thinking that its level does."""
    if made.robot.level in QUICK_LEVELS:
        chosen = _quick_move(record, made, made.robot.level)
    else:
        seed = _seed(record, made, made.robot.level)
        chosen = think(record.game, made.game.view(made.position, made.seat), made.robot.level, seed).move
    if made.move == chosen:
        return False
    if made.robot.level not in QUICK_LEVELS and made.move == _quick_move(record, made, Level.FAIR):
        return True
    raise UnsoundError(f"Ply {made.ply} does not hold: the robot at seat {made.seat} would have played {chosen}.")


def _quick_move(record: Record, made: RobotMove, level: Level) -> Move:
    return choose_quickly(made.game, made.position, made.seat, level, _seed(record, made, level))


def _seed(record: Record, made: RobotMove, level: Level) -> bytes:
    return derive_seed(record.secret, record.match, made.seat, made.stage_ply, level, made.robot.edition)
