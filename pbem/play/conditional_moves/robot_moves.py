"""Moves of robots: chosen at once at the levels that do not think, and thought about elsewhere at the others."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem import robots
from pbem.db.models import Thought
from pbem.db.session import send_after_commit
from pbem.games import Move, Seat
from pbem.games.chain import MoveEntry
from pbem.games.record import effective_moves
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.matches import seats
from pbem.play.players.robots import level_of
from pbem.robots import QUICK_LEVELS, Level

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

log = logging.getLogger(__name__)

THINK_TASK = "think"
"""Name of the task that makes robots think."""
MAX_WAIT = timedelta(seconds=60)
"""Time after which a robot plays what the game suggests, if it has not thought by then."""
MAX_THOUGHTS_PER_PLAYER = 300
MAX_THOUGHTS = 20_000
"""Maximum thoughts a day, for one person and for the whole service; beyond them robots think later, never less."""


def is_thinking(match: Match, holder: SeatHolder) -> bool:
    """Return whether a seat's holder is a robot that thinks before it moves.

    A match of an older edition of its game goes on with suggested moves: robots know the newest.
    """
    if not holder.player.is_robot:
        return False
    level, robot = level_of(holder.player), robots.find(match.game)
    return robot is not None and level in robot.playouts and match.edition == robot.rules.edition


def scheduled_time(ctx: Context, match: Match, holder: SeatHolder) -> datetime:
    """Return when a robot that is to move plays at the latest; one that thinks is asked to, once a stage."""
    if not is_thinking(match, holder):
        return ctx.now
    thought = find_thought(ctx, match, holder)
    if thought is None:
        thought = _ask(ctx, match, holder)
    return ctx.now if thought.done_at else thought.due_at + MAX_WAIT


def find_thought(ctx: Context, match: Match, holder: SeatHolder) -> Thought | None:
    """Return what a robot was asked to think about in this stage of a match, if anything."""
    return ctx.session.get(Thought, (match.id, holder.seat, match.ply))


def postponed_seats(ctx: Context, match: Match) -> dict[int, datetime]:
    """Return the robots to move that have reached the limits of a day, by seat, with the time when they move."""
    thoughts = {
        holder.seat: find_thought(ctx, match, holder)
        for holder in seats.holders(ctx, match)
        if holder.seat in match.to_move and is_thinking(match, holder)
    }
    return {seat: one.due_at + MAX_WAIT for seat, one in thoughts.items() if one and one.due_at > ctx.now}


def choose(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> Move:
    """Return a robot's move: what it has thought of, or else what its game suggests.

    If even that fails, it is any legal move, because a person waits for it.
    """
    match, seat, level = course.match, Seat(holder.seat), level_of(holder.player)
    thought = find_thought(ctx, match, holder) if is_thinking(match, holder) else None
    if thought and thought.move and course.game.allows(course.position, seat, Move(thought.move)):
        return Move(thought.move)
    quick = level if level in QUICK_LEVELS else Level.FAIR
    try:
        return robots.choose_quickly(course.game, stage_position(course), seat, quick, seed_of(match, holder, quick))
    except Exception:
        log.exception("no suggestion for the robot at seat %s of match %s", seat, match.id)
        return next(course.game.moves(course.position, seat))


def close_thought(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Record that a robot's thought comes too late, if it is not done when the robot moves."""
    thought = find_thought(ctx, match, holder) if is_thinking(match, holder) else None
    if thought and thought.done_at is None:
        thought.done_at, thought.is_late = ctx.now, True


def late_seats(ctx: Context, course: LoadedMatch, seat: int) -> list[int]:
    """List the robots that have moved without thinking since a seat's last own move, because it took too long."""
    match = course.match
    if not any(is_thinking(match, holder) for holder in seats.holders(ctx, match)):
        return []
    own = (entry.ply for entry in reversed(course.log) if isinstance(entry, MoveEntry) and entry.seat == seat)
    late = select(Thought.seat).where(Thought.match_id == match.id, Thought.is_late, Thought.ply > next(own, 0))
    return [*ctx.session.scalars(late.distinct().order_by(Thought.seat))]


def seed_of(match: Match, holder: SeatHolder, level: Level) -> bytes:
    """Return the seed of a robot's choice in this stage."""
    edition = holder.player.robot_edition or 1
    return robots.derive_seed(match.secret, match.id, holder.seat, match.ply, level, edition)


def stage_position(course: LoadedMatch) -> Any:
    """Return the position in which the current stage began: what others have sealed since plays no part."""
    stage = course.game.stage(course.position)
    sealed = sum(1 for _seat, its in course.turns if its == stage)
    if not sealed:
        return course.position
    position = course.first_position
    for move in effective_moves(course.log)[:-sealed]:
        position = course.game.apply(position, Seat(move.seat), Move(move.move), course.chance)
    return position


def _ask(ctx: Context, match: Match, holder: SeatHolder) -> Thought:
    """Insert a thought that a robot is to have, for as soon as the limits allow."""
    until = _count(ctx, match)
    row = {
        "match_id": match.id,
        "seat": holder.seat,
        "ply": match.ply,
        "level": level_of(holder.player),
        "edition": holder.player.robot_edition,
        "asked_at": ctx.now,
        "due_at": until or ctx.now,
    }
    ctx.session.execute(insert(Thought).values(row).on_conflict_do_nothing())
    if until is None:
        send_after_commit(ctx.session, THINK_TASK)
    return ctx.session.get_one(Thought, (match.id, holder.seat, match.ply))


def _count(ctx: Context, match: Match) -> datetime | None:
    """Count a thought towards the limits; return when it may be had if one is reached."""
    if ctx.config.limits is None:
        return None
    people = sorted({one.player_id for one in seats.holders(ctx, match) if not one.player.is_robot})
    limits = [Limit("thought", str(person), MAX_THOUGHTS_PER_PLAYER, SECONDS_PER_DAY) for person in people]
    limits.append(Limit("thoughts", "", MAX_THOUGHTS, SECONDS_PER_DAY))
    return hit(ctx, *limits)
