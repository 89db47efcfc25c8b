"""Parameters of requests for new matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.games import Seat


@dataclass(frozen=True, slots=True)
class ForkStart:
    """Starting point of a fork: a finished match after `step` entries of its log, with the seats to move there."""

    match: Match
    step: int
    to_move: tuple[Seat, ...]
