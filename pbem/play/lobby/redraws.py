"""Redraws of waiting matches: a new match with a new deal takes the place of one that an invitee leaves."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.db.models import Player
from pbem.play.lifecycle import acceptance, create, forks, match_requests
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.matches import pairs
from pbem.play.matches.seats import holders
from pbem.play.players import robots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import VacatedSeats


def redraw(
    ctx: Context,
    match: Match,
    host: SeatHolder,
    changed: Mapping[int, Invitee | None],
    *,
    mail: str | None = None,
    vacated: VacatedSeats | None = None,
) -> Match:
    """Create the new match, with others at the `changed` seats, and return it; raises Refused if it cannot be.

    Those who leave know the commitment and the entropies of the match, so the new one has its own secret. All others
    who had accepted stay. `mail` is the Message-ID of the mail that asked for it. The caller must have locked the
    match, and cancels it.
    """
    present = {holder.seat: holder for holder in holders(ctx, match)}
    accepted = [one for one in present.values() if match.seats[one.seat - 1].accepted_at and one.seat not in changed]
    stay = {holder.email: holder for holder in accepted if not holder.player.is_robot}
    invitees = [changed.get(place.seat, _invitee_of_seat(present.get(place.seat))) for place in match.seats]
    with ctx.session.begin_nested():
        request = MatchRequest(
            match.game,
            match.options,
            invitees,
            Terms.of_match(match),
            creator_seat=host.seat,
            host=ctx.session.get(Player, match.host_id) if match.host_id else None,
            invitation_text=match.invitation_text or "",
            message_id=mail,
            previous_match_id=match.id,
            staying=stay,
            vacated=vacated,
            fork=forks.find_origin(ctx, match),
            there_and_back=pairs.find_place(ctx, match) is not None,
        )
        drawn = create.create_match(ctx, request)
    for holder in holders(ctx, drawn):
        if holder.email in stay and acceptance.took_open_seat(match, stay[holder.email]):
            # A player who had taken an open seat may still leave it without cancelling the match.
            holder.seated_at = ctx.now + timedelta(microseconds=1)
    return drawn


def _invitee_of_seat(holder: SeatHolder | None) -> Invitee | None:
    if holder and holder.player.is_robot:
        return match_requests.robot(robots.level_of(holder.player))
    return Invitee(holder.name, holder.email) if holder else None
