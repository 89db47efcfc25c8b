"""Batches of deliveries to other servers: what calls of webhooks and messages to devices have in common."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.db.models import Match, SeatHolder

D = TypeVar("D")
F = TypeVar("F")

DISABLE_AFTER = timedelta(days=3)
"""Time without a delivery that was accepted after which no further one is tried there."""
BATCH_SIZE = 16
LEASE = timedelta(minutes=1)
"""Time after which a claimed delivery without a result is due again, because its worker has died."""
EXPIRED = "past"
"""Why a delivery was not made: its turn is over."""

_MAX_CONCURRENT = 8
"""Maximum concurrent deliveries; slow receivers hold up no other."""


def deliver_all(deliver: Callable[[D], F], batch: Sequence[D]) -> list[F]:
    """Make the deliveries of a batch, several at a time; return their results in order."""
    with ThreadPoolExecutor(_MAX_CONCURRENT) as pool:
        return list(pool.map(deliver, batch))


def is_turn_open(match: Match, holder: SeatHolder, ply: int) -> bool:
    """Return whether a turn is still the one at a ply, and that of the seat."""
    return match.state == MatchState.RUNNING and match.ply == ply and holder.seat in match.to_move
