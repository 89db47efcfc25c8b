"""Access to a match for viewers who have no seat in it."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match


def shared_key(match: Match) -> str:
    """Return the key that opens a finished private match to anybody who has it, as long as its record exists.

    It is derived from the match's own secret, which nobody knows before the match is over.
    """
    return tokens.derive(match.secret.hex(), "record", match.id)


def is_open(match: Match, key: str) -> bool:
    """Return whether a viewer with this key, or with "", may see a match."""
    shared = match.state == MatchState.OVER and match.seed is not None
    return match.public or (shared and key.isascii() and hmac.compare_digest(key, shared_key(match)))
