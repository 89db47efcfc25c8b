"""Signing in by a mailed link: to open and confirm it proves that the address is the player's.

The row of a link holds no secret: the link is made, by signing the row's id, when its mail is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, func, select, update

from pbem.db.models import Address, LoginSession, Player, SeatHolder, SignInLink
from pbem.i18n import current_locale
from pbem.play.core import tokens
from pbem.play.core.rate_limits import SECONDS_PER_DAY, SECONDS_PER_HOUR, Limit
from pbem.play.lobby import request_parser
from pbem.play.moderation import bans
from pbem.play.notifications import outbox, signed_links
from pbem.play.players import registry

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.play.core.context import Context

KIND = "sign in"
LINK_MINUTES = 20
"""Minutes for which a link can be used."""

OPEN, USED, EXPIRED = "open", "used", "late"
"""States of a link: it can be used, it has been used, or it is too old."""

_RETENTION = timedelta(days=7)
"""How long the state of a link is stored."""
_ID_BITS = 130
_SALT = "pbem sign in"
_MAX_BROWSER_LENGTH = 200


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The player who signed in by a link; `first` if they never had before."""

    player: Player
    first: bool


def limits(email: str) -> tuple[Limit, ...]:
    """Return the rate limits of sign-in links: for one address, and for all together."""
    return (
        Limit("sign in an hour", email, 3, SECONDS_PER_HOUR),
        Limit("sign in a day", email, 10, SECONDS_PER_DAY),
        Limit("sign in", "everybody", 1000, SECONDS_PER_HOUR),
    )


def send_link(ctx: Context, email: str, then: str, browser: str) -> None:
    """Enqueue a sign-in link to an address; the same statements run whether the address is known or not.

    `then` is the page to show afterwards, `browser` the User-Agent.
    """
    random_id = tokens.base32(int.from_bytes(ctx.draw(17), "big") >> 6, _ID_BITS // 5)
    row = SignInLink(id=random_id, email=email, redirect_path=then, requested_at=ctx.now)
    ctx.session.add(row)
    ctx.session.flush()
    owner = select(Player.name, Player.language).join(Address).where(Address.email == email)
    known = ctx.session.execute(owner).first()
    name, language = known or (request_parser.default_name(email), current_locale())
    facts = {"sign in": row.id, "name": name, "language": language, "browser": browser[:_MAX_BROWSER_LENGTH]}
    outbox.enqueue_mail(ctx, KIND, email, facts, once=f"sign in {row.id}")


def link_token(config: Config, row: str, key: str) -> str:
    """Return the secret part of a link, signed with the key of that ID."""
    return signed_links.sign(config, _SALT, row, key)


def find_link(ctx: Context, typed: str) -> SignInLink | None:
    """Return the row of a link; None if it is not ours, or so old that it was deleted."""
    row = signed_links.load(ctx.config, _SALT, typed)
    return None if row is None else ctx.session.get(SignInLink, row)


def link_state(ctx: Context, row: SignInLink) -> str:
    """Return the state of a link."""
    if row.used_at:
        return USED
    return OPEN if row.requested_at > _valid_since(ctx) else EXPIRED


def redeem(ctx: Context, row: SignInLink) -> SignedIn | None:
    """Sign in by a link, which verifies its address. Return None if it was used before or is too old.

    Raises BannedError for a banned player.
    """
    mine = SignInLink.id == row.id, SignInLink.used_at.is_(None), SignInLink.requested_at > _valid_since(ctx)
    if ctx.session.scalar(update(SignInLink).where(*mine).values(used_at=ctx.now).returning(SignInLink.id)) is None:
        return None
    player = registry.get_or_create(ctx, {row.email: request_parser.default_name(row.email)})[row.email]
    address = ctx.session.get_one(Address, row.email)
    if address.verified_at is None and not address.is_main:
        player = _reassign_address(ctx, address)
    bans.check_not_banned(ctx, player)
    registry.mark_verified(ctx, row.email)
    first = not ctx.session.scalar(select(exists().where(LoginSession.player_id == player.id)))
    return SignedIn(player, first)


def delete_old(ctx: Context) -> None:
    """Delete links that are long over."""
    ctx.session.execute(delete(SignInLink).where(SignInLink.requested_at < ctx.now - _RETENTION))


def _reassign_address(ctx: Context, address: Address) -> Player:
    """Move an address that another player had only claimed to a new player for its owner; its seats go with it."""
    other = address.player_id
    player = Player(name=request_parser.default_name(address.email), language=current_locale(), created_at=ctx.now)
    address.player, address.is_main = player, True
    ctx.session.flush()
    seated = SeatHolder.player_id == other, func.lower(SeatHolder.email) == address.email
    ctx.session.execute(update(SeatHolder).where(*seated).values(player_id=player.id))
    return player


def _valid_since(ctx: Context) -> datetime:
    return ctx.now - timedelta(minutes=LINK_MINUTES)
