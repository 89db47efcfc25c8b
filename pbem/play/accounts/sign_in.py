"""Signing in by a link that is mailed to an address: whoever opens it and says so has shown that it is theirs.

The row of a link holds no secret: the link itself is made, by signing the row's name, when its mail is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import delete, exists, func, select, update

from pbem.db.models import Address, Holder, Player, SignIn, Visit
from pbem.i18n import spoken
from pbem.play.core import tokens
from pbem.play.core.rate_limits import DAY, HOUR, Allowed
from pbem.play.lobby import request_parser
from pbem.play.moderation import bans
from pbem.play.notifications import outbox
from pbem.play.players import registry

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.config import Config
    from pbem.play.core.context import Context

KIND = "sign in"
MINUTES = 20
"""How long a link can be used."""

OPEN, USED, LATE = "open", "used", "late"
"""How a link stands: it can be used, it has been, or it is too old."""

_KEPT = timedelta(days=7)
"""So long a link says what became of it."""
_ID_BITS = 130
_SALT = "pbem sign in"
_LONGEST_BROWSER = 200


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who has signed in by a link; `first` if they never had before."""

    player: Player
    first: bool


def allowed(email: str) -> tuple[Allowed, ...]:
    """Say how often links may be asked for: for one address, and for all of them."""
    return (
        Allowed("sign in an hour", email, 3, HOUR),
        Allowed("sign in a day", email, 10, DAY),
        Allowed("sign in", "everybody", 1000, HOUR),
    )


def ask(ctx: Context, email: str, then: str, browser: str) -> None:
    """Owe a link to an address; the same is done, by the same statements, whether it is known or not.

    `then` is the page that its reader wanted to see, `browser` what theirs says of itself.
    """
    row = SignIn(id=_random_name(ctx), email=email, then=then, asked_at=ctx.now)
    ctx.session.add(row)
    ctx.session.flush()
    called = select(Player.name, Player.language).join(Address).where(Address.email == email)
    known = ctx.session.execute(called).first()
    name, language = known or (request_parser.name_of(email), spoken())
    facts = {"sign in": row.id, "name": name, "language": language, "browser": browser[:_LONGEST_BROWSER]}
    outbox.owe_mail(ctx, KIND, email, facts, once=f"sign in {row.id}")


def signed(config: Config, row: str, key: str) -> str:
    """Make the secret part of a link, with the key of that name; the same again gives the same."""
    newest = config.secret_keys[-1]
    secret = next((secret for secret in config.secret_keys if tokens.key_name(secret) == key), newest)
    return URLSafeSerializer(secret, salt=_SALT).dumps(row)


def asked(ctx: Context, typed: str) -> SignIn | None:
    """Find what a link was asked for; None for one that is not ours, or so old that it is forgotten."""
    try:
        row = URLSafeSerializer(list(ctx.config.secret_keys), salt=_SALT).loads(typed)
    except BadSignature:
        return None
    return ctx.session.get(SignIn, row)


def standing(ctx: Context, row: SignIn) -> str:
    """Tell how a link stands."""
    if row.used_at:
        return USED
    return OPEN if row.asked_at > _oldest(ctx) else LATE


def use(ctx: Context, row: SignIn) -> SignedIn | None:
    """Sign in by a link; its address is its player's from here on. None where it was used before, or is too old.

    Raises BannedError for somebody who is shut out.
    """
    mine = SignIn.id == row.id, SignIn.used_at.is_(None), SignIn.asked_at > _oldest(ctx)
    if ctx.session.scalar(update(SignIn).where(*mine).values(used_at=ctx.now).returning(SignIn.id)) is None:
        return None
    player = registry.players_at(ctx, {row.email: request_parser.name_of(row.email)})[row.email]
    address = ctx.session.get_one(Address, row.email)
    if address.verified_at is None and not address.main:
        player = _claimed_by_another(ctx, address)
    bans.must_not_be(ctx, player)
    registry.confirm(ctx, row.email)
    first = not ctx.session.scalar(select(exists().where(Visit.player_id == player.id)))
    return SignedIn(player, first)


def masked(email: str) -> str:
    """Show an address so that its owner knows it again, and nobody else learns it."""
    local, _at, domain = email.rpartition("@")
    return f"{local[:1]}…@{domain}"


def forget(ctx: Context) -> None:
    """Delete the links that are long over."""
    ctx.session.execute(delete(SignIn).where(SignIn.asked_at < ctx.now - _KEPT))


def _claimed_by_another(ctx: Context, address: Address) -> Player:
    """Give an address to its owner, where a player had only said that it was theirs; its seats go with it."""
    other = address.player_id
    player = Player(name=request_parser.name_of(address.email), language=spoken(), created_at=ctx.now)
    address.player, address.main = player, True
    ctx.session.flush()
    seated = Holder.player_id == other, func.lower(Holder.email) == address.email
    ctx.session.execute(update(Holder).where(*seated).values(player_id=player.id))
    return player


def _oldest(ctx: Context) -> datetime:
    return ctx.now - timedelta(minutes=MINUTES)


def _random_name(ctx: Context) -> str:
    return tokens.base32(int.from_bytes(ctx.draw(17), "big") >> 6, _ID_BITS // 5)
