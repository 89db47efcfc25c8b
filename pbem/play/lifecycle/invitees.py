"""Invitees of a new match: validation of typed names and addresses, blocks and rate limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.db.models import Address, Player
from pbem.i18n import _
from pbem.play.core.errors import Code, Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until, hit
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.moderation import bans, invitation_blocks
from pbem.play.players import registry, robots

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context
    from pbem.play.lifecycle.match_requests import Invitees

MAX_INVITATIONS_PER_DAY = 5
"""Maximum matches per day that an address may be invited to, or that may be created with it while it is unverified."""
MAX_STRANGERS_PER_DAY = 20
"""Maximum people with unverified addresses that one person may invite per day."""


def check_blocks(ctx: Context, invitees: Invitees, creator: int | None, host: Player | None, *, known: bool) -> None:
    """Refuse a banned host or creator, invitees who do not accept invitations, and too many strangers per day."""
    own = invitees[creator - 1] if creator else None
    address = ctx.session.get(Address, own.email) if own else None
    inviter = host.id if host else address.player_id if address else None
    for maker in (host, address and address.player):
        if maker:
            bans.check_not_banned(ctx, maker)
    others = {
        invitee.email: seat for seat, invitee in enumerate(invitees) if invitee and not (known and invitee is own)
    }
    for email, seat in others.items():
        if invitation_blocks.is_refused(ctx, email, inviter):
            raise Refused(_(invitation_blocks.REFUSAL), f"seats.{seat}")
    if ctx.config.limits is None or not known:
        return
    for email in invitation_blocks.unverified(ctx, others):
        if hit(ctx, Limit("stranger invited", str(inviter), MAX_STRANGERS_PER_DAY, SECONDS_PER_DAY)):
            sentence = _("You invited many new people today. Try again tomorrow.")
            raise Refused(sentence, f"seats.{others[email]}")


def check_rate_limits(ctx: Context, invitees: Invitees, creator: int | None, *, known: bool) -> None:
    """Refuse if an address gets too many invitations per day, or if too many are created with an unverified one."""
    if known and ctx.config.limits is None:
        return
    mailed = [(seat, invitee) for seat, invitee in enumerate(invitees) if invitee and (seat + 1 == creator) != known]
    allowed = [Limit("invitation", invitee.email, MAX_INVITATIONS_PER_DAY, SECONDS_PER_DAY) for _, invitee in mailed]
    for (seat, _guest), one in zip(mailed, allowed, strict=True):
        if blocked_until(ctx, one):
            sentence = _("This address got several invitations today. Answer one of them, or try again tomorrow.")
            raise Refused(sentence, f"seats.{seat}", code=Code.DAILY_LIMIT)
    hit(ctx, *allowed)


def normalise(invitees: Invitees, several: int | None = None) -> list[Invitee | None]:
    """Return the invitees with normalised names and addresses, and with names for the robots; raises Refused.

    Only the player at seat `several` may have more than one seat.
    """
    seated: list[Invitee | None] = []
    taken = [invitee.name for invitee in invitees if invitee and not invitee.is_robot]
    for number, invitee in enumerate(invitees):
        field = f"seats.{number}"
        if invitee is None:
            seated.append(None)
        elif invitee.is_robot:
            taken.append(robots.unused_name(taken))
            seated.append(replace(invitee, name=taken[-1]))
        elif invitee.is_guest:
            seated.append(invitee)
        else:
            name, email = registry.normalise_name(invitee.name, field), registry.normalise_email(invitee.email, field)
            seated.append(Invitee(name, email))
    named = [invitee for invitee in seated if invitee and not invitee.is_robot]
    if not named:
        raise Refused(_("At least one seat needs a player."), "seats")
    own = seated[several - 1] if several else None
    once = [invitee.email for invitee in named if invitee is own or own is None or invitee.email != own.email]
    if len(set(once)) < len(once):
        raise Refused(_("Two seats have the same mail address. Each player needs their own."), "seats")
    if len({invitee.name.casefold() for invitee in named}) < len(named):
        raise Refused(_("Two players have the same name. Choose another one."), "seats")
    return seated


def count_people(invitees: Invitees) -> int:
    """Count the people among the invitees: an open seat counts as one, a robot does not."""
    several = {invitee.email for invitee in invitees if invitee and not invitee.is_robot}
    return len(several) + sum(invitee is None for invitee in invitees)


def select_invited(invitees: Invitees, creator: int | None, staying: Collection[str]) -> list[Invitee | None]:
    """Return who is sent an invitation, by seat, else None; the creator is listed at one seat at most."""
    own = invitees[creator - 1] if creator else None

    def is_sent_one(invitee: Invitee) -> bool:
        again = own is not None and invitee is not own and invitee.email == own.email
        return not invitee.is_robot and not again and invitee.email not in staying

    return [invitee if invitee and is_sent_one(invitee) else None for invitee in invitees]
