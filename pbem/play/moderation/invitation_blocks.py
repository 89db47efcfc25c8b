"""Declining for ever: addresses that want no more invitations, from one person or from anybody.

They are known by their SHA-256 only, so that the wish outlives an account. Whoever invites hears the same of them as of
an address that is not written to for another reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, Declining, Holder, Player
from pbem.i18n import marked
from pbem.play.players import suppressions, unsubscribes

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.db.models import Match
    from pbem.play.core.context import Context

ANYBODY = 0
"""Stands for every player, where an address wants no invitations at all."""
UNWANTED = marked("This person takes no invitations at present.")
"""What whoever invites is told, whatever the reason: it is nobody's business."""


@dataclass(frozen=True, slots=True)
class Inviter:
    """Who invited somebody: their player, and what the one invited knows them as."""

    player: int
    name: str


def decline_for_ever(ctx: Context, email: str, whose: int) -> None:
    """Have an address be sent no more invitations of a player, or of anybody; a second time changes nothing."""
    row = {"hash": unsubscribes.key_of(email), "player_id": whose, "at": ctx.now}
    ctx.session.execute(insert(Declining).values(row).on_conflict_do_nothing())


def forget(ctx: Context, email: str) -> None:
    """Let an address be invited by everybody again."""
    ctx.session.execute(delete(Declining).where(Declining.hash == unsubscribes.key_of(email)))


def declined(ctx: Context, email: str) -> set[int]:
    """Give the players whose invitations an address does not want, `ANYBODY` among them."""
    return set(ctx.session.scalars(select(Declining.player_id).where(Declining.hash == unsubscribes.key_of(email))))


def is_unwanted(ctx: Context, email: str, inviter: int | None) -> bool:
    """Tell whether an invitation of a player to an address is not to be made."""
    banned = select(Address.email).join(Player).where(Address.email == email, Player.banned_at.is_not(None))
    if suppressions.suppressed(ctx, email) is not None or ctx.session.scalar(banned) is not None:
        return True
    return bool(declined(ctx, email) & {ANYBODY, inviter})


def inviter_of(ctx: Context, match: Match, holder: Holder) -> Inviter | None:
    """Give who invited a seat to its match; None where nobody did, or they themselves."""
    if match.host_id in {None, holder.player_id}:
        return None
    # They are called what the table calls them, if they sit at it.
    seated = Holder.match_id == match.id, Holder.player_id == match.host_id, Holder.until.is_(None)
    name = ctx.session.scalar(select(Holder.name).where(*seated))
    host = ctx.session.get_one(Player, match.host_id)
    return Inviter(host.id, name or host.name)


def strangers(ctx: Context, emails: Collection[str]) -> list[str]:
    """List those of some addresses that nobody has shown to be theirs, in their order."""
    verified = select(Address.email).where(Address.email.in_(emails), Address.verified_at.is_not(None))
    known = set(ctx.session.scalars(verified))
    return [email for email in emails if email not in known]
