"""What ratings need to know of a finished match, and the places of its players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

FINISHED, TIMED_OUT, AGREED = "finished", "timed_out", "agreed"
WITHOUT_WINNERS = frozenset({"aborted", "abandoned"})
"""Endings of matches that nobody has won."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat and the player who began the match in it; `was_replaced` if somebody else played on for them."""

    seat: int
    player: int
    is_confirmed: bool = True
    was_replaced: bool = False


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A finished match with all its seats; `had_robot` if a robot ever held one.

    `scores` are those of all seats by number, if it was played to its end, and `winners` are seats. `moves` were
    played, of the `usual_moves` that such a match takes.
    """

    match: str
    game: str
    ended_at: datetime
    ending: str
    winners: frozenset[int]
    scores: tuple[int, ...] | None
    seats: tuple[SeatFacts, ...]
    moves: int = 0
    usual_moves: float = 0
    is_rated: bool = True
    is_public: bool = True
    is_fork: bool = False
    is_import: bool = False
    is_annulled: bool = False
    had_robot: bool = False


def ranks(match: MatchFacts) -> tuple[int, ...]:
    """Return the place of each seat's first player, 0 for the best; equal places are ties.

    Whoever was replaced is last. The others are ordered by their final scores if the match was played to its end;
    else those who resigned or ran out of time are last too, and all others share the first place.
    """
    keys = [_rank_key(match, one) for one in match.seats]
    ordered = sorted(keys)
    return tuple(ordered.index(key) for key in keys)


def lost_on_time(match: MatchFacts) -> frozenset[int]:
    """Return the players who lost a match on time, or whose seat went to somebody else."""
    out_of_time = match.ending == TIMED_OUT
    gone = (one for one in match.seats if one.was_replaced or (out_of_time and one.seat not in match.winners))
    return frozenset(one.player for one in gone)


def _rank_key(match: MatchFacts, seat: SeatFacts) -> tuple[bool, bool, int]:
    if seat.was_replaced:
        return (True, True, 0)
    has_lost = seat.seat not in match.winners
    if match.ending == FINISHED and match.scores is not None:
        return (False, has_lost, -match.scores[seat.seat - 1])
    return (has_lost, has_lost, 0)
