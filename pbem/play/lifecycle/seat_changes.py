"""Changes of seats in a running match: a person or the robot takes over from a player.

The newcomer is a new holder with the full time for the pending move. Links, reply addresses and conditional moves of
the predecessor end. Neither learns what only the other may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from pbem.db.models import Deadline, MatchSeat, Offer, Plan, SeatHolder
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings, turn_mails
from pbem.play.matches import seats
from pbem.play.matches.match_state import append_event, load_match
from pbem.play.notifications import outbox
from pbem.play.players import registry, robots
from pbem.robots import identity

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.core.context import Context

SUBSTITUTED, WITHDRAWN, RESIGNED = "substituted", "withdrawn", "resigned"
"""Values of `SeatHolder.leave_reason`, beside that of a timeout: a substitute was seated, the player left the event of
the match, or resigned and a robot plays on. Only the first can come back."""
SEAT_LOST = "seat lost"
"""Kind of the mail to a player who has lost their seat."""


def replace_holder(
    ctx: Context,
    match: Match,
    gone: SeatHolder,
    player: Player,
    email: str,
    *,
    by: str,
    name: str | None = None,
    mail: str | None = None,
    reason: str = SUBSTITUTED,
) -> SeatHolder:
    """Seat a person in place of a holder, and notify all players; `name` is the name they had here before, if any.

    `reason` is why the holder has left.
    """
    taken = ctx.session.scalars(select(SeatHolder.name).where(SeatHolder.match_id == match.id)).all()
    _vacate_seat(ctx, gone, reason)
    new_name = name or registry.unique_name(player.name, taken)
    newcomer = registry.add_holder(ctx, match, gone.seat, player, new_name, email)
    ctx.session.flush()
    _finish_substitution(ctx, match, gone, newcomer, by)
    facts = {"former": gone.name, "back": name is not None}
    if newcomer.seat in match.to_move:
        answers = {newcomer.seat: mail} if mail else {}
        turn_mails.enqueue(ctx, match, answers, **{str(newcomer.seat): facts})
    else:
        seen = outbox.position_facts(ctx, load_match(ctx, match), newcomer)
        outbox.enqueue(ctx, "seated", newcomer, match, seen | facts, once=f"seated {newcomer.id}", answers=mail)
    return newcomer


def is_compared(match: Match) -> bool:
    """Return whether other tables of a field are compared with a match, so that it must be played to its end."""
    return match.event_id is not None and match.set_id is not None


def seat_robot(ctx: Context, match: Match, gone: SeatHolder, by: str, reason: str = SUBSTITUTED) -> None:
    """Seat the robot in place of a holder; if no person would be left, end the match, unless it is compared."""
    if not (is_compared(match) or other_people(ctx, match, gone)):
        abandon_match(ctx, match, gone, by)
        return
    _vacate_seat(ctx, gone, reason)
    robot = robots.take_seat(ctx, match, gone.seat)
    _finish_substitution(ctx, match, gone, robot, by, identity.event_detail(robots.identity_of(robot.player)))


def abandon_match(ctx: Context, match: Match, gone: SeatHolder, by: str) -> None:
    """End a match without a winner because a player does not move."""
    gone.leave_reason = seats.TIMED_OUT
    endings.abort(ctx, match, by=by, ending="abandoned")


def other_people(ctx: Context, match: Match, holder: SeatHolder) -> list[SeatHolder]:
    """List the other players of a match who are people."""
    return [other for other in seats.holders(ctx, match) if other.id != holder.id and not other.player.is_robot]


def _vacate_seat(ctx: Context, gone: SeatHolder, reason: str) -> None:
    gone.left_at = ctx.now
    if not gone.player.is_robot:
        gone.leave_reason = reason
    ctx.session.execute(delete(Plan).where(Plan.holder_id == gone.id))
    ctx.session.flush()


def _finish_substitution(
    ctx: Context, match: Match, gone: SeatHolder, newcomer: SeatHolder, by: str, detail: dict[str, Any] | None = None
) -> None:
    """Enter a substitution in the chain, restart the seat's clock, and notify all but the newcomer."""
    append_event(ctx, match, "substituted", seat=gone.seat, by=by, detail=detail)
    # An offer binds only the players who were seated when it was made.
    ctx.session.execute(delete(Offer).where(Offer.match_id == match.id))
    ctx.session.get_one(MatchSeat, (match.id, gone.seat)).bank_seconds = None
    row = ctx.session.get(Deadline, (match.id, gone.seat))
    if row is not None:
        ctx.session.delete(row)
        ctx.session.flush()
    turn_deadlines.sync(ctx, match)
    course = load_match(ctx, match)
    about = {"whose": gone.seat, "former": gone.name, "by": by}
    about |= {"bot": newcomer.player.is_robot, "back": gone.player.is_robot}
    if gone.leave_reason in {WITHDRAWN, RESIGNED}:
        about["withdrawn"] = True
    for other in seats.holders(ctx, match):
        if other.id != newcomer.id:
            facts = outbox.position_facts(ctx, course, other) | about
            outbox.enqueue(ctx, "substituted", other, match, facts, once=f"substituted {newcomer.id} {other.id}")
    is_mailed = gone.leave_reason in {SUBSTITUTED, RESIGNED, seats.TIMED_OUT} and not gone.player.banned_at
    if gone.email and not gone.player.is_robot and is_mailed:
        _notify_replaced(ctx, match, gone, newcomer)


def _notify_replaced(ctx: Context, match: Match, gone: SeatHolder, newcomer: SeatHolder) -> None:
    """Notify a replaced player, with how they may come back, but nothing of the position."""
    facts: dict[str, Any] = {"name": gone.name, "language": gone.player.language, "game": match.game, "of": match.id}
    facts["others"] = [one.name for one in seats.holders(ctx, match) if one.id != newcomer.id]
    may_return = newcomer.player.is_robot and gone.leave_reason == SUBSTITUTED
    facts |= {"newcomer": newcomer.name, "bot": newcomer.player.is_robot}
    facts |= {"holder": gone.id if may_return else None, "resigned": gone.leave_reason == RESIGNED}
    outbox.enqueue_mail(ctx, SEAT_LOST, gone.email, facts, once=f"seat lost {gone.id}")
