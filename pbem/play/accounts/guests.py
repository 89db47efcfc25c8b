"""Guests: players without an address, who play alone or against robots in the browser in which they began.

Their matches are private. Nothing is mailed to them, and they invite nobody, until they confirm an address of theirs.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, select, update

from pbem.db.models import Address, ApiKey, Feed, LogEntry, LoginSession, Match, Passkey, Player, SeatHolder
from pbem.i18n import _, current_locale
from pbem.play.accounts import merge
from pbem.play.lifecycle import create, match_requests
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.notifications import fresh_links
from pbem.play.players import registry
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.play.core.context import Context
    from pbem.robots import Level


class GuestClaim(Enum):
    """Result of a guest's claim to an address."""

    KEPT = "the guest has the address now"
    MERGED = "the guest's matches are now those of the address's owner"
    REFUSED = "the address cannot be the guest's"


def create_guest(ctx: Context, zone: str) -> Player:
    """Create a guest, in the language of the request and in the browser's time zone if that is known."""
    guest = Player(name="", language=current_locale(), created_at=ctx.now)
    ctx.session.add(guest)
    ctx.session.flush()
    guest.name = _("Guest {number}", number=guest.id)
    registry.adopt_zone(guest, zone)
    ctx.session.flush()
    return guest


def is_guest(ctx: Context, player: Player) -> bool:
    """Return whether a player is a person without any address."""
    if player.is_robot or player.deleted_at:
        return False
    return not ctx.session.scalar(select(exists().where(Address.player_id == player.id)))


def invitee(player: Player) -> Invitee:
    """Return a guest as a player to be seated."""
    return Invitee(player.name, "", is_guest=True)


def create_match(
    ctx: Context, guest: Player, game: str, levels: Sequence[Level], options: Mapping[str, object]
) -> Match:
    """Create a guest's private match, with robots of these levels at all other seats; it begins at once."""
    invitees = [invitee(guest), *map(match_requests.robot, levels)]
    terms = Terms(rated=False, public=False)
    return create.create_match(ctx, MatchRequest(game, options, invitees, terms, creator_seat=1, host=guest))


def may_be_asked(ctx: Context, holder: SeatHolder) -> bool:
    """Return whether to ask a seat's player for an address: a guest who has moved in the match."""
    if holder.email or not is_guest(ctx, holder.player):
        return False
    moves = LogEntry.match_id == holder.match_id, LogEntry.seat == holder.seat, LogEntry.ply.is_not(None)
    return bool(ctx.session.scalar(select(exists().where(*moves))))


def claim_address(ctx: Context, guest: Player, email: str, *, same_browser: bool) -> GuestClaim:
    """Make an address the guest's, or move the guest's matches to the player who has it.

    The link to confirm was mailed to the address. In another browser than the guest's, nobody has shown that the guest
    and the owner of the address are one person: the guest's sessions and links end, so that only the owner goes on.
    """
    address = ctx.session.get(Address, email)
    if address is None:
        registry.lock_addresses(ctx, [email])
        # Somebody may have got it until the lock was free: the guest too, by the same link.
        address = ctx.session.get(Address, email)
    owner = address.player if address else None
    if owner is guest:
        return GuestClaim.KEPT
    if guest.banned_at or (owner and owner.banned_at) or not is_guest(ctx, guest):
        return GuestClaim.REFUSED
    if not same_browser:
        ctx.session.execute(delete(LoginSession).where(LoginSession.player_id == guest.id))
    if owner is None:
        ctx.session.add(Address(email=email, player=guest, created_at=ctx.now, verified_at=ctx.now, is_main=True))
        ctx.session.flush()
        _mail_turns(ctx, guest, email, new_links=not same_browser)
        return GuestClaim.KEPT
    registry.mark_verified(ctx, email)
    move_matches(ctx, guest, owner, email, new_links=not same_browser)
    return GuestClaim.MERGED


def move_matches(ctx: Context, guest: Player, owner: Player, email: str, *, new_links: bool = False) -> None:
    """Move a guest's matches to another player, whose mail about them goes to an address; delete the guest."""
    merge.lock(ctx, guest.id, owner.id)
    _mail_turns(ctx, guest, email, new_links=new_links)
    for row in (LoginSession, Feed, ApiKey, Passkey):
        ctx.session.execute(delete(row).where(row.player_id == guest.id))
    merge.merge(ctx, guest, owner)


def _mail_turns(ctx: Context, guest: Player, email: str, *, new_links: bool) -> None:
    """Send the mail of a guest's seats to an address from now on, and a link for each running match."""
    theirs = SeatHolder.player_id == guest.id, SeatHolder.left_at.is_(None)
    ctx.session.execute(update(SeatHolder).where(*theirs).values(email=email))
    for holder in ctx.session.scalars(select(SeatHolder).where(*theirs).order_by(SeatHolder.id)).all():
        ctx.session.refresh(holder)
        match = ctx.session.get_one(Match, holder.match_id)
        if new_links:
            holder.generation += 1
        if match.state != MatchState.OVER:
            fresh_links.enqueue(ctx, match, holder, once=f"guest {match.id} {holder.id} {email}")
