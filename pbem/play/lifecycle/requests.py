"""What a match is asked for with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.games import Seat


@dataclass(frozen=True, slots=True)
class Fork:
    """From where a match plays on: a finished one, after so many entries of its log; `to_move` is who acts there."""

    match: Match
    step: int
    to_move: tuple[Seat, ...]
