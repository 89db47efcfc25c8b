"""Tables that their hosts want open to others when an invitee declines, or has not answered in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance
from pbem.play.lifecycle.match_requests import VacatedSeats
from pbem.play.lobby import hosting, redraws
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, SeatHolder
    from pbem.games import Json
    from pbem.play.core.context import Context


def is_wished(ctx: Context, match: Match, holder: SeatHolder) -> bool:
    """Return whether an invitee's seat is to be open to others if they decline, instead of the match called off."""
    return _find_wishing_host(ctx, match, holder) is not None


def decline(ctx: Context, match: Match, holder: SeatHolder) -> Match | None:
    """Decline an invitation; return the match with an open seat that takes its place, or None if there is none.

    A player who had taken an open seat only leaves it. The caller must have locked the match.
    """
    host = _find_wishing_host(ctx, match, holder)
    if host is None:
        acceptance.decline(ctx, match, holder)
        return None
    try:
        drawn = _open_seats(ctx, match, host, [holder], declined=True)
    except Refused:
        acceptance.decline(ctx, match, holder, unopened=True)
        return None
    detail: dict[str, Json] = {"declined": True, "redrawn": True}
    acceptance.cancel(ctx, match, seat=holder.seat, by=f"seat {holder.seat}", detail=detail)
    return drawn


def open_unanswered(ctx: Context, match: Match) -> Match | None:
    """Open the seats of invitees who did not answer in time; return the new match, or None if there is none.

    The caller must have locked the match.
    """
    unanswered = hosting.unanswered_invitees(ctx, match)
    host = _find_wishing_host(ctx, match, unanswered[0]) if unanswered else None
    if host is None:
        return None
    try:
        drawn = _open_seats(ctx, match, host, unanswered, declined=False)
    except Refused:
        return None
    acceptance.cancel(ctx, match, seat=None, by="clock", detail={"redrawn": True})
    return drawn


def _find_wishing_host(ctx: Context, match: Match, invitee: SeatHolder) -> SeatHolder | None:
    """Return the host of a waiting match who wants the seat of an invitee open to others, if that is so."""
    if match.state != MatchState.INVITING or not match.open_if_declined or acceptance.took_open_seat(match, invitee):
        return None
    host = hosting.find_host(ctx, match)
    return host if host and host.id != invitee.id else None


def _open_seats(
    ctx: Context, match: Match, host: SeatHolder, leaving: Sequence[SeatHolder], *, declined: bool
) -> Match:
    """Create the match in which the seats of those who leave are open; raises Refused."""
    vacated = VacatedSeats(tuple(one.name for one in leaving), declined)
    return redraws.redraw(ctx, match, host, {one.seat: None for one in leaving}, vacated=vacated)
