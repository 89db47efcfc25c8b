"""Match a plan against a position: the move that follows from it on its seat's turn, and the plan that remains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pbem.games import GameError, Move
from pbem.i18n import _, refusal_text
from pbem.play.conditional_moves.plans import RESIGN

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.conditional_moves.plans import Plan


@dataclass(frozen=True, slots=True)
class Step:
    """Result of matching: the move to play, if any, and the plan that remains; `missed` says why lines were dropped.

    The move may be `plans.RESIGN`.
    """

    move: Move | None
    plan: Plan
    missed: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a plan is matched against on its seat's turn; it shows only what the seat may see.

    `concerned` is whether the plan's lines are about this turn, `answered` whether another seat has moved since they
    were written or followed: then they are dropped where none of them fits.
    """

    meets: Callable[[str], bool]
    reads: Callable[[str], Move]
    follows: Callable[[str], Move | None]
    concerned: bool = True
    answered: bool = True


def next_step(plan: Plan, turn: Turn) -> Step:
    """Choose the next move of a plan: from a line that fits, else a queued move, else a policy."""
    missed = ""
    if plan.lines and turn.concerned:
        line = next((line for line in plan.lines if _is_met(line.condition, turn)), None)
        if line is not None and line.move == RESIGN:
            return Step(Move(RESIGN), replace(plan, lines=()))
        if line is not None:
            try:
                return Step(turn.reads(line.move), replace(plan, lines=line.then))
            except GameError as reason:
                missed = _("“{move}” could not be played. {reason}", move=line.move, reason=refusal_text(reason))
        elif turn.answered:
            missed = _("None of its lines fits what happened.")
        if missed:
            plan = replace(plan, lines=())
    for at, queued in enumerate(plan.queued):
        try:
            return Step(turn.reads(queued), replace(plan, queued=plan.queued[:at] + plan.queued[at + 1 :]), missed)
        except GameError:
            continue
    orders = (turn.follows(order) for order in plan.policies)
    return Step(next((move for move in orders if move is not None), None), plan, missed)


def after_own_move(plan: Plan, move: str) -> Plan | None:
    """Return the plan that remains after a move by hand; None where no line has it, or several differ below."""
    follow = {line.then for line in plan.lines if line.move == move}
    return replace(plan, lines=follow.pop()) if len(follow) == 1 else None


def _is_met(condition: str, turn: Turn) -> bool:
    try:
        return turn.meets(condition)
    except GameError:
        return False
