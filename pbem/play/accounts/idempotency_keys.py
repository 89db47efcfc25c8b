"""Keys that programs send with their calls, so that a call whose answer was lost can be sent again."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import IdempotencyKey

if TYPE_CHECKING:
    from pbem.play.core.context import Context

KEPT_FOR = timedelta(hours=24)
"""How long an answer is kept."""


def lock(ctx: Context, player: int, key: str) -> bool:
    """Lock a player's key until the transaction ends; return False if another call holds it."""
    name = func.hashtextextended(f"idempotency {player} {key}", 0)
    return bool(ctx.session.scalar(select(func.pg_try_advisory_xact_lock(name))))


def find(ctx: Context, player: int, key: str) -> IdempotencyKey | None:
    """Return what is kept of the call that a player sent with a key."""
    found = ctx.session.get(IdempotencyKey, (player, _hash(key)))
    return found if found and found.created_at > ctx.now - KEPT_FOR else None


def store(ctx: Context, player: int, key: str, fingerprint: bytes, status: int, body: str) -> None:
    """Store the answer to the call that a player sent with a key."""
    values = {"fingerprint": fingerprint, "status": status, "body": body, "created_at": ctx.now}
    row = insert(IdempotencyKey).values(player_id=player, hash=_hash(key), **values)
    ctx.session.execute(row.on_conflict_do_update(index_elements=["player_id", "hash"], set_=values))


def delete_expired(ctx: Context) -> None:
    """Delete the answers that were kept long enough."""
    ctx.session.execute(delete(IdempotencyKey).where(IdempotencyKey.created_at <= ctx.now - KEPT_FOR))


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
