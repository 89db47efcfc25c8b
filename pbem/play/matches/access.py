"""Access to a match: who may see it without sitting there."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from pbem.play.core import tokens
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match

_SHARED = "record"


def shared_key(match: Match) -> str:
    """Give what opens a finished private match to whoever has it; it lives as long as the record.

    It is made from the match's own secret, which nobody knows before the match is over.
    """
    return tokens.derive(match.secret.hex(), _SHARED, match.id)


def is_open(match: Match, key: str) -> bool:
    """Tell whether a match may be looked at by somebody who has a key, or none."""
    shared = match.state == MatchState.OVER and match.seed is not None
    return match.public or (shared and key.isascii() and hmac.compare_digest(key, shared_key(match)))
