"""Rematches: the same players, options and clock, with the seats rotated by one.

A match has at most one rematch: a second request accepts the rematch that the first has created.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match, Player
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.lifecycle import acceptance, create, match_requests
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.moderation import bans
from pbem.play.players import registry, robots
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context


def find_latest(ctx: Context, match: Match) -> Match | None:
    """Return the rematch of a match, if any; if it was cancelled and redrawn with other players, the newest."""
    after = select(Match).order_by(Match.created_at.desc(), Match.id).limit(1)
    known = ctx.session.scalar(after.where(Match.previous_match_id == match.id))
    drawn = known if known and known.state == MatchState.OVER and known.seed is None else None
    return (find_latest(ctx, drawn) or drawn) if drawn else known


def is_possible(ctx: Context, match: Match) -> bool:
    """Return whether a rematch of a match can be requested."""
    playable = _was_played(match) and match.forked_from_id is None
    return playable and len(_remaining_players(ctx, match)) in GAMES[match.game].seats


def request(ctx: Context, match: Match, player: Player, mail: str | None = None) -> Match:
    """Create the rematch of a match, or accept the existing one; raises Refused if there cannot be one.

    The caller must have checked that the player has a seat. `mail` is the Message-ID of the mail by which they asked.
    """
    match = lock_match(ctx, match.id)
    bans.check_not_banned(ctx, player)
    if not _was_played(match):
        raise Refused(_("You can ask for a rematch when the match is over."), code=Code.NOT_OVER)
    if match.forked_from_id is not None:
        raise Refused(_("This was a practice match. Play on from one of its steps instead."))
    if known := find_latest(ctx, match):
        known = lock_match(ctx, known.id)
        if own := find_seat(ctx, known, player):
            acceptance.accept(ctx, known, own, "", mail)
        return known
    _lock_addresses(ctx, match)
    present = _remaining_players(ctx, match)
    if len(present) not in GAMES[match.game].seats:
        raise Refused(_("Too few players are left for a rematch. Start another match."))
    rotated = [*present[1:], present[0]]
    wanted = MatchRequest(
        match.game,
        match.options,
        [_invitee(one) for one in rotated],
        # A rematch is asked for with the same players.
        replace(Terms.of_match(match), open_if_declined=False),
        creator_seat=[holder.player_id for holder in rotated].index(player.id) + 1,
        host=player,
        message_id=mail,
        previous_match_id=match.id,
    )
    return create.create_match(ctx, wanted)


def find_seat(ctx: Context, match: Match, player: Player) -> SeatHolder | None:
    """Return a player's present seat in a match."""
    return next((holder for holder in holders(ctx, match) if holder.player_id == player.id), None)


def _was_played(match: Match) -> bool:
    return match.state == MatchState.OVER and match.seed is not None


def _lock_addresses(ctx: Context, match: Match) -> None:
    """Lock the addresses of a match's players: an account that is being deleted is not made anew by an invitation."""
    people = [one for one in holders(ctx, match) if not one.player.is_robot]
    registry.lock_addresses(ctx, {email for one in people if (email := _current_address(one))})
    current = select(Player).where(Player.id.in_([one.player_id for one in people]))
    ctx.session.scalars(current.execution_options(populate_existing=True)).all()


def _remaining_players(ctx: Context, match: Match) -> list[SeatHolder]:
    """List the players of a match in seat order, without those whose accounts are deleted or banned."""
    present = holders(ctx, match)
    return [one for one in present if one.player.deleted_at is None and one.player.banned_at is None]


def _invitee(holder: SeatHolder) -> Invitee:
    """Return a player of the match before as one to be seated."""
    email = _current_address(holder)
    if holder.player.is_robot:
        return match_requests.robot(robots.level_of(holder.player))
    return Invitee(holder.name, email, is_guest=not email)


def _current_address(holder: SeatHolder) -> str:
    """Return the address to mail a player at: that of the seat while it is theirs, else their main one."""
    theirs: dict[str, bool] = {address.email: address.is_main for address in holder.player.addresses}
    main = next((email for email, is_main in theirs.items() if is_main), holder.email)
    return holder.email if holder.email in theirs else main
