"""Keys by which programs act for a player, each within its scopes; shown once, and kept as their SHA-256 only."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.orm import joinedload

from pbem.db.models import ApiKey, Player
from pbem.i18n import _
from pbem.play.core import tokens

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context

PREFIX = "pbem_"
"""Begins every key, so that whoever finds one knows what it is."""
READ, PLAY, START = "read", "play", "start"
SCOPES = (READ, PLAY, START)
"""What a key may allow: seeing its player's matches, moving in them, making new ones."""
AT_MOST = 20
"""So many keys a player may have at once."""
LONGEST_NAME = 60

_BITS = 160
_NOTED = timedelta(hours=1)
"""When a key was last used is kept so exactly, and no more."""


class KeyRefusedError(ValueError):
    """Refuses a key that somebody wants, in a sentence for them."""


def make(ctx: Context, player: int, name: str, scopes: Collection[str]) -> str:
    """Make a key for a player's program, and give it, in clear, this once."""
    name = " ".join(name.encode("utf-8", "replace").decode().replace("\0", "").split())[:LONGEST_NAME]
    if not name:
        raise KeyRefusedError(_("Give the key a name, so that you know later what it is for."))
    wanted = [scope for scope in SCOPES if scope in scopes]
    if not wanted:
        raise KeyRefusedError(_("Choose at least one thing that the key may do."))
    # Two forms sent at once count each other.
    ctx.session.execute(select(Player.id).where(Player.id == player).with_for_update())
    if len(present(ctx, player)) >= AT_MOST:
        raise KeyRefusedError(
            _("You have {count} keys, which is as many as there may be. End one first.", count=AT_MOST)
        )
    secret = PREFIX + tokens.base32(int.from_bytes(ctx.draw(_BITS // 8), "big"), _BITS // 5)
    ctx.session.add(ApiKey(hash=_hash(secret), player_id=player, name=name, scopes=wanted, made_at=ctx.now))
    ctx.session.flush()
    return secret


def find(ctx: Context, secret: str) -> ApiKey | None:
    """Find what a key allows, and to whom; None where there is none, or it has been ended."""
    alive = ApiKey.hash == _hash(secret), ApiKey.ended_at.is_(None)
    here = Player.deleted_at.is_(None), Player.banned_at.is_(None)
    theirs = select(ApiKey).join(ApiKey.player).where(*alive, *here)
    found = ctx.session.scalar(theirs.options(joinedload(ApiKey.player)))
    if found and (found.used_at is None or found.used_at < ctx.now - _NOTED):
        found.used_at = ctx.now
    return found


def present(ctx: Context, player: int) -> list[ApiKey]:
    """List a player's keys that have not been ended, the newest first."""
    theirs = ApiKey.player_id == player, ApiKey.ended_at.is_(None)
    return list(ctx.session.scalars(select(ApiKey).where(*theirs).order_by(ApiKey.id.desc())))


def end(ctx: Context, player: int, key: int) -> None:
    """End one of a player's keys: whatever uses it is refused from now on."""
    theirs = ApiKey.id == key, ApiKey.player_id == player
    ctx.session.execute(update(ApiKey).where(*theirs).values(ended_at=func.coalesce(ApiKey.ended_at, ctx.now)))


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
