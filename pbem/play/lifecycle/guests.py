"""Invitees of a new match: validation of typed names and addresses, blocks and rate limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Address
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until, hit
from pbem.play.lifecycle.requests import Invitee
from pbem.play.moderation import bans, invitation_blocks
from pbem.play.players import registry, robots

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.requests import Invitees

MAX_INVITATIONS_PER_DAY = 5
"""Maximum matches per day that an address may be invited to, or that may be created with it while it is unverified."""
MAX_STRANGERS_PER_DAY = 20
"""Maximum people with unverified addresses that one person may invite per day."""


def check_blocks(ctx: Context, guests: Invitees, creator: int | None, host: Player | None, *, known: bool) -> None:
    """Refuse a banned host or creator, invitees who do not accept invitations, and too many strangers per day."""
    own = guests[creator - 1] if creator else None
    address = ctx.session.get(Address, own.email) if own else None
    inviter = host.id if host else address.player_id if address else None
    for maker in (host, address and address.player):
        if maker and (refused := bans.refusal(ctx, maker)):
            raise Refused(refused)
    others = {guest.email: seat for seat, guest in enumerate(guests) if guest and not (known and guest is own)}
    for email, seat in others.items():
        if invitation_blocks.is_refused(ctx, email, inviter):
            raise Refused(_(invitation_blocks.REFUSAL), f"seats.{seat}")
    if ctx.config.limits is None or not known:
        return
    for email in invitation_blocks.unverified(ctx, others):
        if hit(ctx, Limit("stranger invited", str(inviter), MAX_STRANGERS_PER_DAY, SECONDS_PER_DAY)):
            sentence = _("You have invited several people today who are new here. Please go on tomorrow.")
            raise Refused(sentence, f"seats.{others[email]}")


def check_rate_limits(ctx: Context, guests: Invitees, creator: int | None, *, known: bool) -> None:
    """Refuse if an address gets too many invitations per day, or if too many are created with an unverified one."""
    if known and ctx.config.limits is None:
        return
    mailed = [(seat, guest) for seat, guest in enumerate(guests) if guest and (seat + 1 == creator) != known]
    allowed = [Limit("invitation", guest.email, MAX_INVITATIONS_PER_DAY, SECONDS_PER_DAY) for _, guest in mailed]
    for (seat, _guest), one in zip(mailed, allowed, strict=True):
        if blocked_until(ctx, one):
            sentence = _("This address has been sent several invitations today: answer one of them, or try tomorrow.")
            raise Refused(sentence, f"seats.{seat}")
    hit(ctx, *allowed)


def normalise(guests: Invitees, several: int | None = None) -> list[Invitee | None]:
    """Return the invitees with normalised names and addresses, and with names for the robots; raises Refused.

    Only the player at seat `several` may have more than one seat.
    """
    seated: list[Invitee | None] = []
    for number, guest in enumerate(guests):
        if guest and guest.bot:
            robot = robots.unused_name(other.name for other in seated if other)
            seated.append(Invitee(robot, "", bot=True))
            continue
        try:
            seated.append(guest and Invitee(registry.normalise_name(guest.name), registry.normalise_email(guest.email)))
        except registry.InvalidPlayerError as refused:
            raise Refused(str(refused), f"seats.{number}") from None
    named = [guest for guest in seated if guest and not guest.bot]
    if not named:
        raise Refused(_("Somebody must sit at the table before it can be open to others."), "seats")
    own = seated[several - 1] if several else None
    once = [guest.email for guest in named if guest is own or own is None or guest.email != own.email]
    if len(set(once)) < len(once):
        raise Refused(_("Two seats have the same mail address: each player needs one of their own."), "seats")
    if len({guest.name.casefold() for guest in named}) < len(named):
        raise Refused(_("Two players have the same name: the others could not tell them apart."), "seats")
    return seated


def count_people(guests: Invitees) -> int:
    """Count the people among the invitees: an open seat counts as one, a robot does not."""
    several = {guest.email for guest in guests if guest and not guest.bot}
    return len(several) + sum(guest is None for guest in guests)


def select_invited(guests: Invitees, creator: int | None, staying: Collection[str]) -> list[Invitee | None]:
    """Return who is sent an invitation, by seat, else None; the creator is listed at one seat at most."""
    own = guests[creator - 1] if creator else None

    def is_sent_one(guest: Invitee) -> bool:
        again = own is not None and guest is not own and guest.email == own.email
        return not guest.bot and not again and guest.email not in staying

    return [guest if guest and is_sent_one(guest) else None for guest in guests]
