"""Thoughts of robots: claimed one by one, thought about outside of any transaction, and then played.

A claim is not trusted: whether the robot is still to move is checked again under the lock of the match.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, or_, select, tuple_, update

from pbem.db.models import Match, Thought
from pbem.db.session import send_after_commit
from pbem.games import Seat
from pbem.play.conditional_moves import robot_moves
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.players.robots import level_of
from pbem.robots import Level
from pbem.states import MatchState

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

LEASE_TIME = timedelta(seconds=15)
"""Time after which a claimed thought that was not finished is claimed again; had twice, it is played once."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A thought to be had: whose it is, and all that a robot may know, as plain data."""

    match_id: str
    seat: int
    ply: int
    request: dict[str, Any]


def claim(ctx: Context) -> Assignment | None:
    """Claim the thought that has waited longest, skipping those that others have claimed; None if none waits.

    Thoughts about stages that are over are deleted.
    """
    while row := ctx.session.execute(_claim(ctx)).one_or_none():
        match = ctx.session.get_one(Match, row.match_id)
        holder = _find_robot(ctx, match, row.seat, row.ply, row.level)
        if holder is not None:
            return Assignment(row.match_id, row.seat, row.ply, _request(ctx, match, holder))
        ctx.session.execute(delete(Thought).where(_is(row.match_id, row.seat, row.ply)))
    return None


def finish(ctx: Context, done: Assignment, move: str, playouts: int, tried: list[Any]) -> bool:
    """Store what came of a thought, and play the move soon; return whether it was still wanted."""
    match = lock_match(ctx, done.match_id)
    thought = ctx.session.get(Thought, (done.match_id, done.seat, done.ply))
    if thought is None or thought.done_at is not None:
        return False
    if _find_robot(ctx, match, done.seat, done.ply, thought.level) is None:
        ctx.session.delete(thought)
        return False
    thought.done_at, thought.move, thought.playouts, thought.tried = ctx.now, move, playouts, tried
    for row in turn_deadlines.for_match(ctx, match):
        if row.seat == done.seat:
            row.robot_moves_at = ctx.now
            turn_deadlines.update_next_action(row)
    send_after_commit(ctx.session, turn_deadlines.CLOCK_TASK, match.id)
    return True


def sweep(ctx: Context, before: datetime) -> None:
    """Enqueue the task again if a thought has waited since before some moment."""
    if ctx.session.scalar(select(Thought.ply).where(_is_free(ctx), Thought.due_at < before).limit(1)) is not None:
        send_after_commit(ctx.session, robot_moves.THINK_TASK)


def _is_free(ctx: Context) -> ColumnElement[bool]:
    free = or_(Thought.claimed_at.is_(None), Thought.claimed_at < ctx.now - LEASE_TIME)
    return Thought.done_at.is_(None) & (Thought.due_at <= ctx.now) & free


def _is(match: str, seat: int, ply: int) -> ColumnElement[bool]:
    return tuple_(Thought.match_id, Thought.seat, Thought.ply) == (match, seat, ply)


def _claim(ctx: Context) -> Any:
    longest = select(Thought.match_id, Thought.seat, Thought.ply).where(_is_free(ctx)).order_by(Thought.due_at).limit(1)
    # A subquery could be run again for each row, and lock other rows each time.
    once = longest.with_for_update(skip_locked=True).cte("longest")
    mine = tuple_(Thought.match_id, Thought.seat, Thought.ply).in_(select(once.c.match_id, once.c.seat, once.c.ply))
    claimed = update(Thought).where(mine).values(claimed_at=ctx.now)
    return claimed.returning(Thought.match_id, Thought.seat, Thought.ply, Thought.level).execution_options(
        synchronize_session=False
    )


def _find_robot(ctx: Context, match: Match, seat: int, ply: int, level: str) -> SeatHolder | None:
    """Return the robot of this level that is still to move in this stage."""
    if match.state != MatchState.RUNNING or match.ply != ply or seat not in match.to_move:
        return None
    holder = next((one for one in seats.holders(ctx, match) if one.seat == seat), None)
    thinks = holder is not None and robot_moves.is_thinking(match, holder) and level_of(holder.player) == level
    return holder if thinks else None


def _request(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    """Return what a thinker needs: the robot's View and its seed, and nothing else of the match."""
    course = load_match(ctx, match)
    level = Level(level_of(holder.player))
    return {
        "game": match.game,
        "level": level,
        "seed": robot_moves.seed_of(match, holder, level).hex(),
        "view": asdict(course.game.view(robot_moves.stage_position(course), Seat(holder.seat))),
    }
