"""Open offers between players: what a seat proposes, who has agreed, and whose answer is missing.

An offer is open until the next move, or until it is declined. A player who was declined may not propose the same again
before the next move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select

from pbem.db.models import Offer
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.states import DeadlinePhase, MatchState

if TYPE_CHECKING:
    from pbem.db.models import Deadline, Match, SeatHolder
    from pbem.play.core.context import Context

_SINCE_MOVE = (
    select(Offer).where(Offer.match_id == bindparam("match"), Offer.next_ply == bindparam("ply")).order_by(Offer.kind)
)


def by_kind(ctx: Context, match: Match) -> dict[str, Offer]:
    """Return the open offers of a match by kind; those from before the last change of players are void."""
    found = {kind: offer for kind, offer in _since_last_move(ctx, match).items() if offer.declined_at is None}
    since = max(holder.seated_at for holder in seats.holders(ctx, match)) if found else ctx.now
    return {kind: offer for kind, offer in found.items() if offer.offered_at >= since}


def has_proposed(ctx: Context, match: Match, kind: str, seat: int) -> bool:
    """Return whether a seat has proposed this since the last move."""
    offer = _since_last_move(ctx, match).get(kind)
    return offer is not None and seat in offer.proposed_by


def propose(ctx: Context, match: Match, holder: SeatHolder, kind: str, detail: dict[str, Any]) -> Offer:
    """Store an offer of a seat, replacing one that was declined or is void."""
    before = _since_last_move(ctx, match).get(kind)
    offer = Offer(
        match_id=match.id,
        kind=kind,
        seat=holder.seat,
        next_ply=match.next_ply,
        detail=detail,
        proposed_by=[*(before.proposed_by if before else ()), holder.seat],
        agreed=[holder.seat],
        offered_at=ctx.now,
        declined_at=None,
    )
    offer = ctx.session.merge(offer)
    ctx.session.flush()
    return offer


def accept(offer: Offer, seat: int) -> None:
    """Record that a seat accepts."""
    offer.agreed = sorted({*offer.agreed, seat})


def decline(ctx: Context, offer: Offer) -> None:
    """Record that an offer was declined: it is no longer open."""
    offer.declined_at = ctx.now


def close(ctx: Context, match: Match, kind: str | None = None) -> None:
    """Delete an offer that was accepted, or all of a match when its position has changed."""
    theirs = [Offer.match_id == match.id] + ([Offer.kind == kind] if kind else [])
    ctx.session.execute(delete(Offer).where(*theirs).execution_options(synchronize_session="fetch"))


def undecided_players(ctx: Context, match: Match, offer: Offer) -> list[SeatHolder]:
    """List the players whose consent is missing. Robots agree, and a player past the grace period blocks nobody."""
    gone = {row.seat for row in turn_deadlines.for_match(ctx, match) if _is_past_grace_period(ctx, row)}
    present = seats.holders(ctx, match)
    agreed = {holder.player_id for holder in present if holder.seat in offer.agreed}
    return [
        holder
        for holder in seats.distinct_players(present)
        if holder.player_id not in agreed and not holder.player.is_robot and holder.seat not in gone
    ]


def is_past_grace_period(ctx: Context, match: Match, seat: int) -> bool:
    """Return whether a seat's time has run out, and its grace period too."""
    return any(row.seat == seat and _is_past_grace_period(ctx, row) for row in turn_deadlines.for_match(ctx, match))


def _is_past_grace_period(ctx: Context, row: Deadline) -> bool:
    match row.phase:
        case DeadlinePhase.RUNNING:
            return False
        case DeadlinePhase.REPLACEMENT:
            return True
        case _:
            return row.phase_ends_at is not None and row.phase_ends_at <= ctx.now


def _since_last_move(ctx: Context, match: Match) -> dict[str, Offer]:
    """Return the offers since the last move, declined or not, by kind."""
    if match.state != MatchState.RUNNING:
        return {}
    rows = ctx.session.scalars(_SINCE_MOVE, {"match": match.id, "ply": match.next_ply})
    return {offer.kind: offer for offer in rows}
