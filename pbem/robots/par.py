"""Par of a finished match: what the strong robot makes of the same cards, in the seats that people held.

The other seats are played by the robots that sat there: as they did while all moves before are the same, and else as
they would have, by the seeds that they had.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES, Chance, Move, Seat
from pbem.games.record import effective_moves
from pbem.robots.choosing import QUICK_LEVELS, choose_quickly, edition, find, levels, think
from pbem.robots.progress import Progress
from pbem.robots.seeds import derive_for, derive_seed
from pbem.robots.thought import Level
from pbem.robots.verify import first_robots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.games import Game, Json
    from pbem.games.record import Record
    from pbem.robots.identity import Identity

PLAYS = 20
"""Number of plays, unless the robot draws nothing, so that all would be the same."""
_PURPOSE = "pbem-par-v1"


@dataclass(frozen=True, slots=True)
class _Original:
    """The match as it was: who sat where, and the moves of each stage by seat; `level` plays for people."""

    record: Record
    game: Game[Any]
    robots: Mapping[int, Identity | None]
    moves: Mapping[int, Mapping[int, str]]
    level: Level


@dataclass(frozen=True, slots=True)
class _Play:
    """A play as far as it has got: `begun` is the position with which its stage began, at the ply `stage_ply`.

    `is_same` says whether all stages before went as in the original.
    """

    position: Any
    begun: Any
    moves: tuple[tuple[int, str], ...] = ()
    stage_ply: int = 1
    is_same: bool = True


def steps(record: Record, work: Mapping[str, Json]) -> Iterator[Progress]:
    """Yield the progress of the par of a record after each move; raises ValueError if its rules are not the newest."""
    original = _read(record)
    plays, winners, made = _parse(work)
    count, length = _count_plays(original), max(1, sum(map(len, original.moves.values())))
    while len(plays) < count:
        play = _deal(original)
        for number, move in made:
            play = _apply(original, play, Seat(number), Move(move))
        while (outcome := original.game.outcome(play.position)) is None:
            seat = original.game.to_move(play.position)[0]
            play = _apply(original, play, seat, _choose(original, play, seat, len(plays)))
            if original.game.outcome(play.position) is None:
                done = len(plays) * length + min(len(play.moves), length - 1)
                moves: list[Json] = [[*one] for one in play.moves]
                yield Progress(done, count * length, {"plays": [*plays], "winners": [*winners], "moves": moves})
        plays, made = [*plays, [*outcome.scores]], ()
        winners = [*winners, [int(seat) for seat in outcome.winners]]
        now: dict[str, Json] = {"plays": [*plays], "winners": [*winners]}
        result: dict[str, Json] = {"level": str(original.level), "edition": edition(record.game), **now}
        is_last = len(plays) == count
        yield Progress(len(plays) * length, count * length, now | {"moves": []}, result if is_last else None)


def people_seats(record: Record) -> tuple[int, ...]:
    """Return the seats that people held, if only for a while: those that the strong robot plays."""
    return tuple(seat for seat, robot in first_robots(record).items() if robot is None)


def _read(record: Record) -> _Original:
    game = GAMES.get(record.game)
    if game is None or game.edition != record.edition:
        raise ValueError("The match was played by another edition of the rules than robots know.")
    known = levels(record.game)
    level = Level.STRONG if Level.STRONG in known else known[-1]
    return _Original(record, game, first_robots(record), _moves_by_stage(record, game), level)


def _moves_by_stage(record: Record, game: Game[Any]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    chance = Chance(record.seed)
    position = game.setup(len(record.seats), record.options, chance)
    for entry in effective_moves(record.log):
        found.setdefault(game.stage(position), {})[entry.seat] = entry.move
        position = game.apply(position, Seat(entry.seat), Move(entry.move), chance)
    return found


def _count_plays(original: _Original) -> int:
    robot = find(original.record.game)
    return PLAYS if robot is not None and robot.draws else 1


def _parse(work: Mapping[str, Any]) -> tuple[list[Json], list[Json], Iterable[tuple[int, str]]]:
    return [*work.get("plays", ())], [*work.get("winners", ())], work.get("moves", ())


def _deal(original: _Original) -> _Play:
    record = original.record
    first = original.game.setup(len(record.seats), record.options, Chance(record.seed))
    return _Play(first, first)


def _apply(original: _Original, play: _Play, seat: Seat, move: Move) -> _Play:
    game, chance = original.game, Chance(original.record.seed)
    after, stage = game.apply(play.position, seat, move, chance), game.stage(play.position)
    played = replace(play, position=after, moves=(*play.moves, (int(seat), str(move))))
    if game.stage(after) == stage:
        return played
    here = dict(played.moves[play.stage_ply - 1 :])
    is_same = play.is_same and here == original.moves.get(stage)
    return replace(played, begun=after, stage_ply=len(played.moves) + 1, is_same=is_same)


def _choose(original: _Original, play: _Play, seat: Seat, number: int) -> Move:
    record, robot = original.record, original.robots[seat]
    if robot is None:
        level = original.level
        seed = derive_for(_PURPOSE, record.secret, record.match, number, seat, play.stage_ply, level)
    else:
        done = original.moves.get(original.game.stage(play.position), {}).get(seat)
        if play.is_same and done is not None:
            return Move(done)
        level = robot.level if robot.level in levels(record.game) else Level.FAIR
        seed = derive_seed(record.secret, record.match, seat, play.stage_ply, level, robot.edition)
    if level in QUICK_LEVELS:
        return choose_quickly(original.game, play.begun, seat, level, seed)
    return think(record.game, original.game.view(play.begun, seat), level, seed).move
