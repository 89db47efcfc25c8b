"""Invitation blocks: addresses that want no more invitations, from one player or from anybody.

They are stored as SHA-256 hashes only, so that a block outlives an account. The host gets the same message as for an
address that gets no mail for another reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, InvitationBlock, Player, SeatHolder
from pbem.i18n import marked
from pbem.play.moderation import avoidance
from pbem.play.players import suppressions, unsubscribes

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.db.models import Match
    from pbem.play.core.context import Context

ANYBODY = 0
"""Player id of a block for all invitations."""
REFUSAL = marked("This person does not accept invitations.")
"""Message for the host, whatever the reason, which is private."""


@dataclass(frozen=True, slots=True)
class Inviter:
    """Who invited a player: their id, and the name that the invitee knows them by."""

    player_id: int
    name: str


def block(ctx: Context, email: str, whose: int) -> None:
    """Block invitations to an address from a player or from anybody; idempotent."""
    row = {"hash": unsubscribes.address_hash(email), "player_id": whose, "blocked_at": ctx.now}
    ctx.session.execute(insert(InvitationBlock).values(row).on_conflict_do_nothing())


def unblock_all(ctx: Context, email: str) -> None:
    """Delete all invitation blocks of an address."""
    ctx.session.execute(delete(InvitationBlock).where(InvitationBlock.hash == unsubscribes.address_hash(email)))


def blocked_inviters(ctx: Context, email: str) -> set[int]:
    """Return the ids of the players whose invitations an address blocks, `ANYBODY` among them."""
    blocked = select(InvitationBlock.player_id).where(InvitationBlock.hash == unsubscribes.address_hash(email))
    return set(ctx.session.scalars(blocked))


def is_refused(ctx: Context, email: str, inviter: int | None) -> bool:
    """Return whether an invitation from a player to an address must not be sent."""
    banned = select(Address.email).join(Player).where(Address.email == email, Player.banned_at.is_not(None))
    if suppressions.suppression_reason(ctx, email) is not None or ctx.session.scalar(banned) is not None:
        return True
    if inviter is not None and avoidance.refuses_invitation(ctx, email, inviter):
        return True
    return bool(blocked_inviters(ctx, email) & {ANYBODY, inviter})


def find_inviter(ctx: Context, match: Match, holder: SeatHolder) -> Inviter | None:
    """Return who invited a seat's player to their match; None if nobody or they themselves did."""
    if match.host_id in {None, holder.player_id}:
        return None
    # Prefer the host's name in this match, if they play in it.
    seated = SeatHolder.match_id == match.id, SeatHolder.player_id == match.host_id, SeatHolder.left_at.is_(None)
    name = ctx.session.scalar(select(SeatHolder.name).where(*seated))
    host = ctx.session.get_one(Player, match.host_id)
    return Inviter(host.id, name or host.name)


def unverified(ctx: Context, emails: Collection[str]) -> list[str]:
    """List those of some addresses that nobody has verified, in their order."""
    verified = select(Address.email).where(Address.email.in_(emails), Address.verified_at.is_not(None))
    known = set(ctx.session.scalars(verified))
    return [email for email in emails if email not in known]
