"""Entering: an operator who is signed in shows once more that it is they, and may then use their pages for some hours.

That somebody has entered is kept by their browser, signed, beside the cookie of their visit, and holds with that visit
only: looking writes nothing to the database, and signing out ends it wherever a copy may be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import exists, select

from pbem.db.models import Operator, Passkey, Visit
from pbem.play.accounts import passkeys
from pbem.play.accounts.passkeys import PasskeyError
from pbem.play.core.rate_limits import DAY, HOUR, Allowed

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.play.accounts.passkeys import Answer
    from pbem.play.core.context import Context

AT_MOST = timedelta(hours=8)
"""So long an operator stays in."""
IDLE = timedelta(hours=1)
"""Who opens no page for so long is asked again."""
FRESH = timedelta(minutes=15)
"""Whoever has no second factor yet sets it up so soon after signing in: a stolen cookie is older."""

_SALT = "pbem operator has entered"


@dataclass(frozen=True, slots=True)
class Entry:
    """That an operator has entered in a visit: since when, and when they last opened a page."""

    operator: int
    visit: int
    began: datetime
    seen: datetime


def operator_of(ctx: Context, player: int) -> Operator | None:
    """Give the operator that a player is, if they are one."""
    wanted = select(Operator).where(Operator.player_id == player, Operator.dismissed_at.is_(None))
    return ctx.session.scalar(wanted)


def allowed(operator: Operator) -> tuple[Allowed, ...]:
    """Say how often a second factor may be tried."""
    who = str(operator.id)
    return Allowed("operator's tries an hour", who, 6, HOUR), Allowed("operator's tries a day", who, 20, DAY)


def begin(ctx: Context, operator: Operator, visit: int) -> Entry:
    """Let an operator in who has shown that it is they."""
    return Entry(operator.id, visit, ctx.now, ctx.now)


def signed(config: Config, entry: Entry) -> str:
    """Write down that somebody has entered, as their browser keeps it."""
    return _signer(config).dumps([entry.operator, entry.visit, entry.began.timestamp(), entry.seen.timestamp()])


def entered(ctx: Context, typed: str, operator: int, visit: int) -> Entry | None:
    """Tell whether an operator has entered in a visit, and not too long ago; as of now they were seen again."""
    try:
        whose, where, began, seen = _signer(ctx.config).loads(typed)
    except (BadSignature, ValueError, TypeError):
        return None
    entry = Entry(whose, where, datetime.fromtimestamp(began, UTC), datetime.fromtimestamp(seen, UTC))
    late = ctx.now - entry.began >= AT_MOST or ctx.now - entry.seen >= IDLE
    return None if late or (entry.operator, entry.visit) != (operator, visit) else replace(entry, seen=ctx.now)


def show_passkey(ctx: Context, operator: Operator, answer: Answer) -> None:
    """Check the passkey that an operator shows; it must be their own, and have asked them for finger, face or code."""
    if passkeys.sign_in(ctx, answer, verified=True).id != operator.player_id:
        raise PasskeyError("This passkey is somebody else's.")


def has_passkey(ctx: Context, player: int) -> bool:
    """Tell whether a player has a passkey."""
    return bool(ctx.session.scalar(select(exists().where(Passkey.player_id == player))))


def has_factor(ctx: Context, operator: Operator) -> bool:
    """Tell whether an operator has set up anything by which they can show that it is they."""
    return operator.totp_confirmed_at is not None or has_passkey(ctx, operator.player_id)


def may_change(ctx: Context, operator: Operator, visit: int, entry: Entry | None) -> bool:
    """Tell whether an operator may change what lets them in: once inside, or at first, soon after signing in."""
    began = ctx.session.get_one(Visit, visit).began_at
    return entry is not None or (not has_factor(ctx, operator) and ctx.now - began < FRESH)


def _signer(config: Config) -> URLSafeSerializer:
    return URLSafeSerializer(list(config.secret_keys), salt=_SALT)
