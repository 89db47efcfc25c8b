"""Seeds of robots' choices, which anyone can derive once a match is over.

They come from the secret of the match, so nobody can foresee them, and the service cannot draw them again.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.robots.thought import Level

_PURPOSE = "pbem-robot-v1"


def derive_seed(secret: bytes, match: str, seat: int, ply: int, level: Level, edition: int) -> bytes:
    """Return the seed of a robot's choice at a ply, 32 bytes."""
    return derive_for(_PURPOSE, secret, match, seat, ply, level, edition)


def derive_for(purpose: str, secret: bytes, *parts: object) -> bytes:
    """Return a seed for a purpose, 32 bytes; `parts` tell it from the purpose's other seeds."""
    return hmac.digest(secret, "\0".join(map(str, (purpose, *parts))).encode(), "sha256")
