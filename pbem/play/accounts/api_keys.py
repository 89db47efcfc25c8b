"""API keys by which programs act for a player, each with scopes; shown once, and stored only as SHA-256."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.orm import joinedload

from pbem.db.models import ApiKey, Player
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

PREFIX = "pbem_"
"""Prefix of every key, so that a leaked one is recognised."""
READ, PLAY, START = "read", "play", "start"
SCOPES = (READ, PLAY, START)
"""Scopes of a key: seeing its player's matches, moving in them, starting new ones."""
MAX_KEYS = 20
"""Maximum active keys per player."""
MAX_NAME_LENGTH = 60

_KEY_BITS = 160
_USED_AT_INTERVAL = timedelta(hours=1)
"""Interval at which `used_at` is updated."""

_USABLE = ApiKey.revoked_at.is_(None), Player.deleted_at.is_(None), Player.banned_at.is_(None)


def create(ctx: Context, player: int, name: str, scopes: Collection[str]) -> str:
    """Create an API key and return it in clear, the only time that it is shown."""
    name = " ".join(name.encode("utf-8", "replace").decode().replace("\0", "").split())[:MAX_NAME_LENGTH]
    if not name:
        raise Refused(_("Enter a name for the key."))
    wanted = [scope for scope in SCOPES if scope in scopes]
    if not wanted:
        raise Refused(_("Choose at least one permission for the key."))
    # Lock the player, so that two forms sent at once count each other's keys.
    ctx.session.execute(select(Player.id).where(Player.id == player).with_for_update())
    if len(active(ctx, player)) >= MAX_KEYS:
        raise Refused(_("You already have {count} keys, the maximum. Revoke one first.", count=MAX_KEYS))
    secret = PREFIX + tokens.base32(int.from_bytes(ctx.draw(_KEY_BITS // 8), "big"), _KEY_BITS // 5)
    ctx.session.add(ApiKey(hash=_hash(secret), player_id=player, name=name, scopes=wanted, created_at=ctx.now))
    ctx.session.flush()
    return secret


def find(ctx: Context, secret: str) -> ApiKey | None:
    """Return the active key for a secret, with its player; None if there is none, or they are banned or deleted."""
    theirs = select(ApiKey).join(ApiKey.player).where(*_is_active(secret))
    found = ctx.session.scalar(theirs.options(joinedload(ApiKey.player)))
    if found and (found.used_at is None or found.used_at < ctx.now - _USED_AT_INTERVAL):
        found.used_at = ctx.now
    return found


def find_owner(ctx: Context, secret: str) -> int | None:
    """Return the id of the player of an active key, without a note that it was used: a replica takes none."""
    return ctx.session.scalar(select(ApiKey.player_id).join(ApiKey.player).where(*_is_active(secret)))


def is_active(ctx: Context, key: int) -> bool:
    """Return whether a key that was found before may still be used."""
    theirs = select(ApiKey.id).join(ApiKey.player).where(ApiKey.id == key, *_USABLE)
    return ctx.session.scalar(theirs) is not None


def active(ctx: Context, player: int) -> list[ApiKey]:
    """List a player's active keys, newest first."""
    theirs = ApiKey.player_id == player, ApiKey.revoked_at.is_(None)
    return list(ctx.session.scalars(select(ApiKey).where(*theirs).order_by(ApiKey.id.desc())))


def revoke(ctx: Context, player: int, key: int) -> None:
    """Revoke one of a player's keys; requests that use it are refused from now on."""
    theirs = ApiKey.id == key, ApiKey.player_id == player
    ctx.session.execute(update(ApiKey).where(*theirs).values(revoked_at=func.coalesce(ApiKey.revoked_at, ctx.now)))


def _is_active(secret: str) -> tuple[ColumnElement[bool], ...]:
    """Build the conditions that a key has this secret and may be used."""
    return ApiKey.hash == _hash(secret), *_USABLE


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
