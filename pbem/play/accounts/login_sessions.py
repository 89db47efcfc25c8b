"""Login sessions: the browsers in which a player is signed in, each identified by a cookie."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, exists, select, update
from sqlalchemy.orm import contains_eager

from pbem.db.models import Address, LoginSession, Operator
from pbem.play.accounts import dashboard
from pbem.play.moderation import bans
from pbem.play.notifications import push_subscriptions

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Player
    from pbem.play.core.context import Context

IDLE_DAYS = 90
"""Days after which a session ends if its browser was not seen."""

_SECRET_BYTES = 32
_MAX_BROWSER_LENGTH = 200
_SEEN_AT_INTERVAL = timedelta(hours=1)
"""Interval at which `seen_at` is updated."""

_IS_ACTIVE = LoginSession.ended_at.is_(None), LoginSession.seen_at > bindparam("since")
_CURRENT_USER = (
    select(
        LoginSession,
        Operator.id,
        dashboard.count_waiting(LoginSession.player_id),
        ~exists().where(Address.player_id == LoginSession.player_id),
    )
    .join(LoginSession.player)
    .outerjoin(Operator, and_(Operator.player_id == LoginSession.player_id, Operator.dismissed_at.is_(None)))
    .where(LoginSession.hash == bindparam("hash"), *_IS_ACTIVE)
    .options(contains_eager(LoginSession.player))
)


@dataclass(frozen=True, slots=True)
class CurrentUser:
    """The signed-in player, as far as every page needs to know.

    `operator` is their operator id, if any; `waits` is how many matches wait for them; a `guest` has no address.
    """

    login_session: int
    player: int
    name: str
    language: str
    zone: str
    text_first: bool
    distinct_colours: bool
    operator: int | None
    waits: int
    guest: bool


def start(ctx: Context, player: Player, browser: str, before: int | None = None) -> str:
    """Sign a player in and return the secret for their browser's cookie.

    The session that this browser had `before` ends; if it was the same player's, the browser stays their device.
    Raises BannedError for a banned player.
    """
    bans.check_not_banned(ctx, player)
    secret = ctx.draw(_SECRET_BYTES).hex()
    agent = browser[:_MAX_BROWSER_LENGTH]
    session = LoginSession(
        hash=_hash(secret), player_id=player.id, user_agent=agent, started_at=ctx.now, seen_at=ctx.now
    )
    ctx.session.add(session)
    ctx.session.flush()
    if before is not None:
        push_subscriptions.keep_for(ctx, before, session)
        end(ctx, before)
    return secret


def current_user(ctx: Context, secret: str) -> CurrentUser | None:
    """Return the player who is signed in by a cookie; None if its session is unknown or over."""
    values = {"hash": _hash(secret), "since": _active_since(ctx)}
    row = ctx.session.execute(_CURRENT_USER, values).one_or_none()
    if row is None:
        return None
    current, operator, waiting, is_guest = row
    player = current.player
    if current.seen_at < ctx.now - _SEEN_AT_INTERVAL:
        ctx.session.execute(update(LoginSession).where(LoginSession.id == current.id).values(seen_at=ctx.now))
    choices = player.language, player.time_zone, player.text_first, player.distinct_colours
    return CurrentUser(current.id, player.id, player.name, *choices, operator, waiting, is_guest)


def active(ctx: Context, player: Player) -> list[LoginSession]:
    """List a player's active sessions, last seen first."""
    theirs = select(LoginSession).where(LoginSession.player_id == player.id, *_IS_ACTIVE)
    newest = theirs.order_by(LoginSession.seen_at.desc(), LoginSession.id)
    return list(ctx.session.scalars(newest, {"since": _active_since(ctx)}))


def end(ctx: Context, *sessions: int) -> None:
    """End some sessions; their browsers are no longer notified of turns."""
    push_subscriptions.forget_sessions(ctx, sessions)
    still = LoginSession.id.in_(sessions), LoginSession.ended_at.is_(None)
    ctx.session.execute(update(LoginSession).where(*still).values(ended_at=ctx.now))


def _active_since(ctx: Context) -> datetime:
    return ctx.now - timedelta(days=IDLE_DAYS)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
