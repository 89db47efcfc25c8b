"""Playing a lesson: the position of a step, and the judgement of a move there, by the game's own rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.boards.lessons.parts import Attempt, PreparedChance, Stand
from pbem.games.hidden import Seat

if TYPE_CHECKING:
    from pbem.boards.drawing import Names
    from pbem.boards.lessons.parts import Step
    from pbem.games.game import Game

_LEARNER, *_OTHERS = "Ann", "Bob", "Cyd", "Dan"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a move: what it did, whether it is right, and the sentence that says why."""

    attempt: Attempt
    is_right: bool
    why: str


def stand(game: Game[Any], step: Step) -> Stand:
    """Return the position of a step, after the moves up to there."""
    chance = PreparedChance(step.seed, step.dealt)
    position = game.setup(step.seats, step.options, chance)
    for typed in step.moves:
        mover = game.to_move(position)[0]
        position = game.apply(position, mover, game.read(position, mover, typed), chance)
    return Stand(game, chance, position, Seat(step.seat))


def names(step: Step) -> Names:
    """Return the names of the players, in seat order: the learner is Ann, and the others follow around the table."""
    around = (_LEARNER, *_OTHERS)[: step.seats]
    return tuple(around[(seat - step.seat) % step.seats] for seat in range(1, step.seats + 1))


def judge(at: Stand, step: Step, typed: str) -> Judgement:
    """Play a typed move and the answers of the others, and judge it; raise GameError if it is not legal."""
    game, seat = at.game, at.seat
    move = game.read(at.position, seat, typed)
    after = answered = game.apply(at.position, seat, move, at.chance)
    while (movers := game.to_move(answered)) and seat not in movers:
        answered = game.apply(answered, movers[0], game.suggest(answered, movers[0])[0], at.chance)
    attempt = Attempt(game, seat, move, at.position, after, answered)
    kind = next((answer for answer in step.answers if answer.fits(attempt)), None)
    return Judgement(attempt, kind is not None and kind.is_right, kind.why if kind else step.otherwise)
