"""Seed of a robot's choice, which anyone can derive once a match is over.

It comes from the secret of the match, so nobody can foresee it, and the service cannot draw it again.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.robots.thought import Level

_PURPOSE = "pbem-robot-v1"


def derive_seed(secret: bytes, match: str, seat: int, ply: int, level: Level, edition: int) -> bytes:
    """Return the seed of a robot's choice at a ply, 32 bytes."""
    parts = (_PURPOSE, match, seat, ply, level, edition)
    return hmac.digest(secret, "\0".join(map(str, parts)).encode(), "sha256")
