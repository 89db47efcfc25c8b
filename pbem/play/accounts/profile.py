"""A signed-in player's profile and email addresses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, Match, OutboxMessage, SeatHolder
from pbem.i18n import _
from pbem.play.accounts import email_confirmation, event_merges, merge
from pbem.play.core.errors import Refused
from pbem.play.deliverability import bounces
from pbem.play.matches.match_state import lock_match
from pbem.play.notifications import fresh_links, outbox
from pbem.play.players import registry
from pbem.states import MatchState, OutboxState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.accounts.email_confirmation import Claim
    from pbem.play.core.context import Context


class ClaimResult(Enum):
    """Result of a player's claim to an address."""

    CLAIMED = "theirs"
    OTHER_OWNER = "another"
    SHARED_MATCH = "both sit"
    SHARED_FIELD = "both play a field"


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile that a player enters: their name, language and time zone."""

    name: str
    language: str
    zone: str


def save(player: Player, you: Profile) -> None:
    """Store a player's profile; seats that they already hold keep their old name."""
    player.name, player.language, player.time_zone = registry.normalise_name(you.name), you.language, you.zone


def addresses(ctx: Context, player: Player) -> list[Address]:
    """List a player's addresses, the main one first."""
    theirs = select(Address).where(Address.player_id == player.id)
    return list(ctx.session.scalars(theirs.order_by(Address.is_main.desc(), Address.created_at, Address.email)))


def main_address(ctx: Context, player: Player) -> str | None:
    """Return the address for new matches and mail of the service; None if the player has none."""
    return next((one.email for one in addresses(ctx, player)), None)


def add(ctx: Context, player: Player, email: str) -> None:
    """Mail a link to an address to make it the player's; the same mail goes out if another player has it now."""
    known = ctx.session.get(Address, email)
    if known and known.player_id == player.id and known.verified_at:
        raise Refused(_("This is already one of your addresses."))
    if not addresses(ctx, player):
        # A guest has no other address to sign in with.
        email_confirmation.send_guest_verification(ctx, player, email)
        return
    email_confirmation.send_verification(ctx, player, player.name, email, signed_in=True)


def claim_address(ctx: Context, claim: Claim) -> ClaimResult:
    """Make an address a player's own, by a link that was mailed to it.

    An account that only invitations created for it is merged; one that somebody has signed in to never changes hands.
    """
    if ctx.session.get(Address, claim.email) is None:
        registry.lock_addresses(ctx, [claim.email])
        row = {"email": claim.email, "player_id": claim.player.id, "created_at": ctx.now}
        ctx.session.execute(insert(Address).values(row).on_conflict_do_nothing())
    address = ctx.session.get_one(Address, claim.email, populate_existing=True)
    if address.player_id != claim.player.id:
        before = address.player
        if claim.signed_in:
            merge.lock(ctx, before.id, claim.player.id)
        if not claim.signed_in or not merge.is_bare(ctx, before):
            return ClaimResult.OTHER_OWNER
        if merge.share_match(ctx, before, claim.player):
            return ClaimResult.SHARED_MATCH
        if event_merges.share_field(ctx, before, claim.player):
            return ClaimResult.SHARED_FIELD
        merge.merge(ctx, before, claim.player)
    registry.mark_verified(ctx, claim.email)
    return ClaimResult.CLAIMED


def set_main(ctx: Context, player: Player, email: str) -> None:
    """Make one of a player's addresses the main one, for new matches and mail of the service."""
    _own_address(ctx, player, email)
    theirs = Address.player_id == player.id
    # Two statements: a unique index forbids two main addresses, even for a moment.
    ctx.session.execute(update(Address).where(theirs, Address.is_main).values(is_main=False))
    ctx.session.execute(update(Address).where(theirs, Address.email == email).values(is_main=True))


def remove(ctx: Context, player: Player, email: str) -> None:
    """Remove an address from a player; mail for its seats goes to the main address, with new links."""
    verified = [one.email for one in addresses(ctx, player) if one.verified_at and one.email != email]
    if not verified:
        raise Refused(_("You need one address to sign in. Add another one first."))
    if _own_address(ctx, player, email, verified=False).is_main:
        set_main(ctx, player, verified[0])
    main = main_address(ctx, player) or verified[0]
    seated = select(SeatHolder).where(SeatHolder.player_id == player.id, func.lower(SeatHolder.email) == email)
    for holder in ctx.session.scalars(seated.where(SeatHolder.left_at.is_(None)).order_by(SeatHolder.id)):
        _move_seat(ctx, holder, main)
    bounces.mark_reachable(ctx, ctx.session.get_one(Address, email), ctx.now)
    ctx.session.execute(delete(Address).where(Address.email == email))


def renew_links(ctx: Context, player: Player) -> None:
    """Renew the links and reply addresses of all of a player's seats; mail those of unfinished matches to them."""
    theirs = SeatHolder.player_id == player.id, SeatHolder.left_at.is_(None)
    seated = Match.id.in_(select(SeatHolder.match_id).where(*theirs))
    unfinished = select(Match.id).where(seated, Match.state != MatchState.OVER).order_by(Match.id)
    # Without the locks, a turn that begins meanwhile would be mailed with a link that was never issued.
    for match_id in ctx.session.scalars(unfinished).all():
        lock_match(ctx, match_id)
    fresh_links.renew(ctx, ctx.session.scalars(select(SeatHolder).where(*theirs).order_by(SeatHolder.id)).all())


def _own_address(ctx: Context, player: Player, email: str, *, verified: bool = True) -> Address:
    """Return one of a player's own addresses; for any other, known or not, raise the same refusal."""
    found = next((one for one in addresses(ctx, player) if one.email == email), None)
    if found is None or (verified and not found.verified_at):
        raise Refused(_("This is not one of your addresses."))
    return found


def _move_seat(ctx: Context, holder: SeatHolder, main: str) -> None:
    """Send a seat's mail to another address from now on; links in the old mailbox stop working."""
    theirs = OutboxMessage.holder_id == holder.id, OutboxMessage.recipient == holder.email
    pending = update(OutboxMessage).where(*theirs, OutboxMessage.state == OutboxState.PENDING)
    ctx.session.execute(pending.values(recipient=main, shard=outbox.shard_of(main)))
    holder.email = main
    fresh_links.renew(ctx, [holder])
