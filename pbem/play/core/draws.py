"""Random ids and secrets of matches, and of deals that several matches share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.core import tokens

if TYPE_CHECKING:
    from pbem.play.core.context import Context

ID_BITS = 100
SECRET_BYTES = 32


def draw_id(ctx: Context) -> str:
    """Return a new random id."""
    return tokens.base32(int.from_bytes(ctx.draw(-(-ID_BITS // 8)), "big"), ID_BITS // 5)


def draw_secret(ctx: Context) -> bytes:
    """Return a new secret, from which a seed will be derived."""
    return ctx.draw(SECRET_BYTES)
