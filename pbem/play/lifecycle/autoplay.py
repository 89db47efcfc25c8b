"""Automatic moves: those that the service plays for a seat, under the lock of the match."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.db.models import MoveTiming
from pbem.db.session import send_after_commit
from pbem.games import Seat
from pbem.play.conditional_moves import move_delay, plan_store, plans, robot_moves, selection
from pbem.play.core import match_features
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings, held_moves, resigning, turn_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import load_match, play_move
from pbem.states import DeadlinePhase, MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Deadline, Match, SeatHolder
    from pbem.play.conditional_moves.selection import Choice
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

PUNCTUAL_WITHIN = timedelta(minutes=1)
"""A move played within this time after its scheduled time is recorded with the scheduled time."""


def play_due_moves(ctx: Context, match: Match, answers: Mapping[int, str] | None = None) -> bool:
    """Play all automatic moves that are due, one after another, until a person has to act.

    Updates the deadlines, and finishes the match if the game is over; its last mail then answers the last mail in
    `answers` (by seat). Return whether there may be seats that the caller has to ask for a move: if a move was played,
    or if a seat that the service was to play for has no automatic move any more.
    """
    changed = False
    course: LoadedMatch | None = None
    while match.state == MatchState.RUNNING and (row := _next_due(ctx, match)):
        changed = True
        holder = next(one for one in seats.holders(ctx, match) if one.seat == row.seat)
        course = course or load_match(ctx, match)
        chosen = selection.choose(ctx, course, holder)
        if chosen is None or move_delay.is_interrupted(ctx, match, holder):
            _schedule(ctx, match, holder, row, chosen)
        if chosen is None or row.robot_moves_at is None or row.robot_moves_at > ctx.now:
            continue
        if chosen.move == plans.RESIGN:
            resigning.resign(ctx, match, holder, planned=True)
            course = None
            continue
        course = _play_chosen_move(ctx, course, holder, row, chosen)
        if course.game.outcome(course.position) is not None:
            endings.finish(ctx, course, [*answers.items()][-1] if answers else None)
    return changed


def reschedule(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Decide again whether and when the service plays for a seat, after its player's settings or plans have changed.

    If it was to play for the seat and no longer is, its player is mailed for a move.
    """
    row = next((row for row in turn_deadlines.for_match(ctx, match) if row.seat == holder.seat), None)
    if row is None:
        return
    before = row.robot_moves_at
    chosen = match_features.may_be_played_for(ctx, holder) and selection.choose(ctx, load_match(ctx, match), holder)
    if not (chosen and before):
        _schedule(ctx, match, holder, row, chosen or None)
    if row.robot_moves_at and row.robot_moves_at <= ctx.now:
        send_after_commit(ctx.session, turn_deadlines.CLOCK_TASK, match.id)
    if before and not row.robot_moves_at:
        turn_mails.enqueue(ctx, match, {})


def _schedule(ctx: Context, match: Match, holder: SeatHolder, row: Deadline, chosen: Choice | None) -> None:
    """Set when the service plays for a seat, drawn again, or that it does not."""
    row.robot_moves_at = None
    _update_deadline(ctx, match, holder, row)
    if chosen is not None:
        row.robot_moves_at = move_delay.scheduled_time(ctx, match, holder, row)
        _update_deadline(ctx, match, holder, row)
    ctx.session.flush()


def _update_deadline(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> None:
    if row.phase != DeadlinePhase.RUNNING:
        turn_deadlines.update_next_action(row)
    else:
        turn_deadlines.update_times(ctx, match, holder, row)


def _play_chosen_move(
    ctx: Context, course: LoadedMatch, holder: SeatHolder, row: Deadline, chosen: Choice
) -> LoadedMatch:
    """Play an automatic move for a seat, at its scheduled time if that is close, and record why it was played."""
    match, ply = course.match, row.ply
    plan_store.advance(ctx, course, holder)
    robot_moves.close_thought(ctx, match, holder)
    at = row.robot_moves_at if row.robot_moves_at and ctx.now - row.robot_moves_at <= PUNCTUAL_WITHIN else ctx.now
    course = play_move(ctx, course, Seat(holder.seat), chosen.move, at)
    turn_deadlines.sync(ctx, match)
    ctx.session.flush()
    turn = ctx.session.get(MoveTiming, (match.id, holder.seat, ply))
    if turn is not None:
        turn.automatic_reason = chosen.why
        match_features.record_automatic(ctx, match.id)
    return course


def _next_due(ctx: Context, match: Match) -> Deadline | None:
    """Find the first seat with an automatic move due; put off those whose player has a held move of their own."""
    due = [row for row in turn_deadlines.for_match(ctx, match) if row.robot_moves_at and row.robot_moves_at <= ctx.now]
    present = {holder.seat: holder for holder in seats.holders(ctx, match)} if due else {}
    for row in due:
        own = held_moves.find_held(ctx, present[row.seat], ctx.now)
        if own is None:
            return row
        row.robot_moves_at = own.hold_until
        turn_deadlines.update_next_action(row)
        ctx.session.flush()
    return None
