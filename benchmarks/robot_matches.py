"""Matches that robots play against each other, as records; in some of them one robot makes a bad move of known loss."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem import robots
from pbem.games import GAMES, Chance, Move, Seat, Stream
from pbem.games.chain import MoveEntry, commit, derive_seed, next_hash, opening_hash
from pbem.games.record import Record, result
from pbem.robots import Identity, Level
from pbem.robots.identity import record_name
from pbem.robots.looking_back.comparing import Comparison
from pbem.robots.looking_back.effort import Effort

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.chain import Entry

AT = "2026-01-01T00:00:00.000Z"
_MOVES_TRIED = 8
"""Number of moves that may be planted at a step."""
_WORLDS = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """A match to be played: all seats choose at one level, and the first `people` of them count as people's.

    With `loss`, the person in seat 1 makes one move that is known to be worse by as much, if there is one.
    """

    game: str
    seats: int
    options: Mapping[str, object]
    level: Level
    number: int
    people: int = 1
    loss: float = 0.0


def play(plan: Plan) -> tuple[Record, int | None]:
    """Play a match; return its record, and the ply of the bad move if one was planted."""
    rules, match, secret = GAMES[plan.game], f"match-{plan.number}", sha256(f"{plan}".encode()).digest()
    options = dict(rules.settle(plan.seats, plan.options))
    entropies = tuple(f"{seat:032x}" for seat in range(1, plan.seats + 1))
    seed = derive_seed(secret, match, entropies)
    chance, stream, planted = Chance(seed), Stream(secret, "plant"), None
    position = rules.setup(plan.seats, options, chance)
    log: list[Entry] = []
    # The later half of a match may have no choice that matters.
    wait = stream.below(12) if plan.loss else 0
    while to_move := rules.to_move(position):
        seat, ply = to_move[0], len(log) + 1
        move = _choose(plan, position, seat, sha256(secret + ply.to_bytes(4, "big")).digest())
        if plan.loss and planted is None and seat == 1:
            wait -= 1
            bad = _bad_move(plan, position, move, stream) if wait < 0 else None
            if bad is not None:
                move, planted = bad, ply
        log.append(MoveEntry(ply, seat, move, AT, f"{ply:032x}"))
        position = rules.apply(position, seat, move, chance)
    head = opening_hash(commit(secret), match, plan.game, rules.edition, options, plan.seats)
    for entry in log:
        head = next_hash(head, entry)
    identity = Identity(plan.level, robots.edition(plan.game))
    names = tuple(
        f"P{seat}" if seat <= plan.people else record_name("R", identity) for seat in range(1, plan.seats + 1)
    )
    end = result(rules.outcome(position), "finished", log, plan.seats)
    record = Record(
        match, plan.game, rules.edition, options, names, commit(secret), secret, entropies,
        ("server",) * plan.seats, seed, tuple(log), end, head,
    )  # fmt: skip
    return record, planted


def _choose(plan: Plan, position: Any, seat: Seat, seed: bytes) -> Move:
    rules = GAMES[plan.game]
    if plan.level in robots.QUICK_LEVELS:
        return robots.choose_quickly(rules, position, seat, plan.level, seed)
    return robots.think(plan.game, rules.view(position, seat), plan.level, seed).move


def _bad_move(plan: Plan, position: Any, better: Move, stream: Stream) -> Move | None:
    """Return a move that is worse than another by the loss that is wanted, as far as the seat can know."""
    robot, view = robots.find(plan.game), GAMES[plan.game].view(position, Seat(1))
    if robot is None or len(view.moves) == 1:
        return None
    effort = Effort.of(robot)
    for move in stream.shuffled(view.moves)[:_MOVES_TRIED]:
        comparison = Comparison(robot, effort, view, move, sha256(b"planted").digest())
        worlds = range(min(_WORLDS, effort.worlds))
        if comparison.judge(comparison.try_in(worlds, better)).loss >= plan.loss:
            return move
    return None
