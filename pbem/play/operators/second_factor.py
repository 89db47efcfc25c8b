"""Second factor: a signed-in operator proves their identity again, and may then use their pages for some hours.

The proof is a signed cookie beside that of the login session, valid with that session only: viewing pages writes
nothing to the database, and signing out ends it wherever a copy may be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import exists, select

from pbem.db.models import LoginSession, Operator, Passkey
from pbem.play.accounts import passkeys
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, SECONDS_PER_HOUR, Limit

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.play.accounts.passkeys import Answer
    from pbem.play.core.context import Context

MAX_AGE = timedelta(hours=8)
"""Maximum age of an operator's session."""
MAX_IDLE = timedelta(hours=1)
"""Idle time after which an operator is asked again."""
SETUP_WINDOW = timedelta(minutes=15)
"""Time after signing in for an operator to set up their first second factor: a stolen cookie is older."""


@dataclass(frozen=True, slots=True)
class OperatorSession:
    """An operator's session within a login session: when it began, and when they last opened a page."""

    operator: int
    login_session: int
    began: datetime
    seen: datetime


def find_operator(ctx: Context, player: int) -> Operator | None:
    """Return the operator that a player is, if they are one."""
    return ctx.session.scalar(select(Operator).where(Operator.player_id == player, Operator.dismissed_at.is_(None)))


def limits(operator: Operator) -> tuple[Limit, ...]:
    """Return the rate limits of attempts at the second factor."""
    who = str(operator.id)
    hourly = Limit("operator's tries an hour", who, 6, SECONDS_PER_HOUR)
    return hourly, Limit("operator's tries a day", who, 20, SECONDS_PER_DAY)


def start(ctx: Context, operator: Operator, login_session: int) -> OperatorSession:
    """Start the session of an operator who has passed the second factor."""
    return OperatorSession(operator.id, login_session, ctx.now, ctx.now)


def dump_cookie(config: Config, session: OperatorSession) -> str:
    """Return an operator's session as a signed cookie."""
    return _signer(config).dumps(
        [session.operator, session.login_session, session.began.timestamp(), session.seen.timestamp()]
    )


def load_cookie(ctx: Context, cookie: str, operator: int, login_session: int) -> OperatorSession | None:
    """Return an operator's session from a cookie, as seen now; None if it is invalid, too old, or another one's."""
    try:
        whose, where, began, seen = _signer(ctx.config).loads(cookie)
    except (BadSignature, ValueError, TypeError):
        return None
    session = OperatorSession(whose, where, datetime.fromtimestamp(began, UTC), datetime.fromtimestamp(seen, UTC))
    late = ctx.now - session.began >= MAX_AGE or ctx.now - session.seen >= MAX_IDLE
    return (
        None
        if late or (session.operator, session.login_session) != (operator, login_session)
        else replace(session, seen=ctx.now)
    )


def check_passkey(ctx: Context, operator: Operator, answer: Answer) -> None:
    """Check an operator's passkey; it must be their own, and their device must have asked for finger, face or code."""
    if passkeys.authenticate(ctx, answer, verified=True).id != operator.player_id:
        raise Refused("This passkey belongs to another account.")


def has_passkey(ctx: Context, player: int) -> bool:
    """Return whether a player has a passkey."""
    return bool(ctx.session.scalar(select(exists().where(Passkey.player_id == player))))


def has_factor(ctx: Context, operator: Operator) -> bool:
    """Return whether an operator has set up a second factor."""
    return operator.totp_confirmed_at is not None or has_passkey(ctx, operator.player_id)


def may_change(ctx: Context, operator: Operator, login_session: int, session: OperatorSession | None) -> bool:
    """Return whether an operator may change their factors: after passing one, or, without any, soon after sign-in."""
    began = ctx.session.get_one(LoginSession, login_session).started_at
    return session is not None or (not has_factor(ctx, operator) and ctx.now - began < SETUP_WINDOW)


def _signer(config: Config) -> URLSafeSerializer:
    return URLSafeSerializer(list(config.secret_keys), salt="pbem operator has entered")
