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
    from pbem.play.core.context import Table

ANYBODY = 0
"""Stands for every player, where an address wants no invitations at all."""
UNWANTED = marked("This person takes no invitations at present.")
"""What whoever invites is told, whatever the reason: it is nobody's business."""


@dataclass(frozen=True, slots=True)
class Inviter:
    """Who invited somebody: their player, and what the one invited knows them as."""

    player: int
    name: str


def decline_for_ever(table: Table, email: str, whose: int) -> None:
    """Have an address be sent no more invitations of a player, or of anybody; a second time changes nothing."""
    row = {"hash": unsubscribes.key_of(email), "player_id": whose, "at": table.now}
    table.session.execute(insert(Declining).values(row).on_conflict_do_nothing())


def forget(table: Table, email: str) -> None:
    """Let an address be invited by everybody again."""
    table.session.execute(delete(Declining).where(Declining.hash == unsubscribes.key_of(email)))


def declined(table: Table, email: str) -> set[int]:
    """Give the players whose invitations an address does not want, `ANYBODY` among them."""
    return set(table.session.scalars(select(Declining.player_id).where(Declining.hash == unsubscribes.key_of(email))))


def is_unwanted(table: Table, email: str, inviter: int | None) -> bool:
    """Tell whether an invitation of a player to an address is not to be made."""
    banned = select(Address.email).join(Player).where(Address.email == email, Player.banned_at.is_not(None))
    if suppressions.suppressed(table, email) is not None or table.session.scalar(banned) is not None:
        return True
    return bool(declined(table, email) & {ANYBODY, inviter})


def inviter_of(table: Table, match: Match, holder: Holder) -> Inviter | None:
    """Give who invited a seat to its match; None where nobody did, or they themselves."""
    if match.host_id in {None, holder.player_id}:
        return None
    # They are called what the table calls them, if they sit at it.
    seated = Holder.match_id == match.id, Holder.player_id == match.host_id, Holder.until.is_(None)
    name = table.session.scalar(select(Holder.name).where(*seated))
    host = table.session.get_one(Player, match.host_id)
    return Inviter(host.id, name or host.name)


def strangers(table: Table, emails: Collection[str]) -> list[str]:
    """List those of some addresses that nobody has shown to be theirs, in their order."""
    verified = select(Address.email).where(Address.email.in_(emails), Address.verified_at.is_not(None))
    known = set(table.session.scalars(verified))
    return [email for email in emails if email not in known]
