"""Substitutes: another player or the robot takes over a seat of a running match that has timed out.

The substitute is a new holder with the full time for the pending move. Links, reply addresses and conditional moves of
the predecessor end. Neither learns what only the other may know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, bindparam, delete, select

from pbem.db import conditions
from pbem.db.models import Deadline, Match, MatchSeat, Offer, Plan, SeatHolder
from pbem.games import Eye
from pbem.i18n import _
from pbem.play.clocks.timeout_policies import SUBSTITUTE
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until, hit
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings, turn_mails
from pbem.play.lobby import joining
from pbem.play.matches import descriptions, seats
from pbem.play.matches.match_state import append_event, load_match, lock_match
from pbem.play.matches.views import player_names, render_view
from pbem.play.moderation import avoidance, bans
from pbem.play.notifications import outbox
from pbem.play.players import registry, reliability, robots
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.robots import identity
from pbem.states import DeadlinePhase, MatchState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Player, Submission
    from pbem.play.core.context import Context

SUBSTITUTED, TIMED_OUT = "substituted", "timed out"
"""Values of `SeatHolder.leave_reason`: a substitute was seated, or the player's timeout ended the match."""
SEAT_LOST, NOT_SEATED = "seat lost", "not seated"
"""Mail kinds: to a player who has lost their seat, and to one who writes for a seat that is not theirs any more."""


@dataclass(frozen=True, slots=True)
class OpenSeat:
    """A seat of a public match that anybody may take over."""

    match: Match
    seat: int
    name: str
    names: tuple[str, ...]
    since: datetime


_OPEN_SEATS = (
    select(Match, Deadline.seat, Deadline.phase_started_at)
    .join(Deadline, Deadline.match_id == Match.id)
    .where(
        # The condition of a partial index.
        Deadline.phase == conditions.member(DeadlinePhase.REPLACEMENT),
        Match.public,
        Match.timeout_policy == SUBSTITUTE,
        Match.state == MatchState.RUNNING,
    )
    .order_by(Deadline.phase_started_at, Match.id, Deadline.seat)
    .limit(bindparam("most", type_=Integer))
)
_OPEN_SEATS_FOR_READER = _OPEN_SEATS.where(~avoidance.forbids(Deadline.seat))


def has_open_seats(ctx: Context, reader: int | None) -> bool:
    """Return whether a substitute is sought for any seat that a reader may see."""
    return bool(_find_open_seats(ctx, 1, reader))


def list_open_seats(ctx: Context, most: int, reader: int | None) -> Sequence[OpenSeat]:
    """List the seats for which a substitute is sought and that a reader may see, the longest waiting first."""
    found = _find_open_seats(ctx, most, reader)
    names: dict[str, list[str]] = {match.id: [] for match, _seat, _since in found}
    present = SeatHolder.left_at.is_(None), SeatHolder.match_id.in_(names)
    rows = select(SeatHolder.match_id, SeatHolder.name).where(*present).order_by(SeatHolder.match_id, SeatHolder.seat)
    for match_id, name in ctx.session.execute(rows):
        names[match_id].append(name)
    return [
        OpenSeat(match, seat, names[match.id][seat - 1], tuple(names[match.id]), since)
        for match, seat, since in found
        if since is not None
    ]


def _find_open_seats(ctx: Context, most: int, reader: int | None) -> Sequence[Any]:
    if reader is None:
        return ctx.session.execute(_OPEN_SEATS, {"most": most}).all()
    return ctx.session.execute(_OPEN_SEATS_FOR_READER, {"most": most, "reader": reader}).all()


def is_open_to(ctx: Context, match: Match, seat: int, reader: int | None) -> bool:
    """Return whether a substitute is sought for a seat, and a reader may see that."""
    return is_open(ctx, match, seat) and avoidance.may_sit_together(ctx, match, reader, seat)


def is_open(ctx: Context, match: Match, seat: int) -> bool:
    """Return whether a substitute is sought for a seat."""
    row = ctx.session.get(Deadline, (match.id, seat), populate_existing=True)
    return (
        row is not None
        and row.phase == DeadlinePhase.REPLACEMENT
        and match.timeout_policy == SUBSTITUTE
        and match.state == MatchState.RUNNING
    )


def take_over(
    ctx: Context, match: Match, seat: int, player: Player, mail: str | None = None, *, named: bool = False
) -> SeatHolder:
    """Seat a player as a substitute; raises Refused with a sentence for them.

    `named` is whether the host has nominated them, as a private match requires; `mail` is the Message-ID of the mail by
    which they asked, if any.
    """
    match = lock_match(ctx, match.id)
    if not (match.public or named) or not is_open_to(ctx, match, seat, player.id):
        raise Refused(_("This seat no longer needs a substitute."))
    if refused := bans.refusal(ctx, player):
        raise Refused(refused)
    if not named and (refused := reliability.refusal_reason(ctx, match, player.id)):
        raise Refused(refused)
    sat = select(SeatHolder.id).where(SeatHolder.match_id == match.id, SeatHolder.player_id == player.id)
    if ctx.session.scalar(sat.limit(1)) is not None:
        raise Refused(_("You have or had a seat in this match and cannot take another."))
    allowed = Limit("table joined", str(player.id), joining.MAX_JOINS_PER_DAY, SECONDS_PER_DAY)
    if blocked_until(ctx, allowed):
        raise Refused(_(joining.LIMIT_REACHED, count=joining.MAX_JOINS_PER_DAY))
    email = registry.verified_address(ctx, player)
    gone = next(holder for holder in seats.holders(ctx, match) if holder.seat == seat)
    newcomer = replace_holder(ctx, match, gone, player, email, mail=mail, by="table" if named else "clock")
    hit(ctx, allowed)
    return newcomer


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
) -> SeatHolder:
    """Seat a person in place of a holder, and notify all players; `name` is the name they had here before, if any."""
    taken = ctx.session.scalars(select(SeatHolder.name).where(SeatHolder.match_id == match.id)).all()
    _vacate_seat(ctx, gone)
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


def seat_robot(ctx: Context, match: Match, gone: SeatHolder, by: str) -> None:
    """Seat the robot in place of a holder; if no person would be left, end the match."""
    if not other_people(ctx, match, gone):
        abandon_match(ctx, match, gone, by)
        return
    _vacate_seat(ctx, gone)
    robot = robots.take_seat(ctx, match, gone.seat)
    _finish_substitution(ctx, match, gone, robot, by, identity.event_detail(robots.identity_of(robot.player)))


def abandon_match(ctx: Context, match: Match, gone: SeatHolder, by: str) -> None:
    """End a match without a winner because a player does not move."""
    gone.leave_reason = TIMED_OUT
    endings.abort(ctx, match, by=by, ending="abandoned")


def reject_late(ctx: Context, submission: Submission) -> Verdict:
    """Reject a submission of a player who has been replaced; the answer reveals nothing of the position."""
    reason = _("Nothing changed: somebody else plays your seat now.")
    holder = submission.holder
    if submission.via == MAIL and holder.email:
        facts = {"reason": reason, "name": holder.name, "language": holder.player.language}
        outbox.enqueue_mail(ctx, NOT_SEATED, holder.email, facts, once=f"answer {submission.id}")
    return Verdict(SubmissionStatus.REJECTED, reason)


def other_people(ctx: Context, match: Match, holder: SeatHolder) -> list[SeatHolder]:
    """List the other players of a match who are people."""
    return [other for other in seats.holders(ctx, match) if other.id != holder.id and not other.player.is_robot]


def public_facts(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the public facts of a match: the board and all that happened."""
    course = load_match(ctx, match)
    names = player_names(ctx, match)
    view = render_view(course, Eye.PUBLIC, names)
    return {"view": view, "names": names, "told": descriptions.log_sentences(match.game, view["log"], names)}


def _vacate_seat(ctx: Context, gone: SeatHolder) -> None:
    gone.left_at = ctx.now
    if not gone.player.is_robot:
        gone.leave_reason = SUBSTITUTED
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
    for other in seats.holders(ctx, match):
        if other.id != newcomer.id:
            facts = outbox.position_facts(ctx, course, other) | about
            outbox.enqueue(ctx, "substituted", other, match, facts, once=f"substituted {newcomer.id} {other.id}")
    by_own_wish = by == f"seat {gone.seat}"
    if gone.email and not (by_own_wish or gone.player.is_robot or gone.player.banned_at):
        _notify_replaced(ctx, match, gone, newcomer)


def _notify_replaced(ctx: Context, match: Match, gone: SeatHolder, newcomer: SeatHolder) -> None:
    """Notify a replaced player, with how they may come back, but nothing of the position."""
    facts: dict[str, Any] = {"name": gone.name, "language": gone.player.language, "game": match.game, "of": match.id}
    facts["others"] = [one.name for one in seats.holders(ctx, match) if one.id != newcomer.id]
    facts |= {"newcomer": newcomer.name, "holder": gone.id if newcomer.player.is_robot else None}
    outbox.enqueue_mail(ctx, SEAT_LOST, gone.email, facts, once=f"seat lost {gone.id}")
