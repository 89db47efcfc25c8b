"""What ratings need to know of a finished match, and the places of its players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

FINISHED, TIMED_OUT, AGREED, ABANDONED = "finished", "timed_out", "agreed", "abandoned"
WITHOUT_WINNERS = frozenset({"aborted", ABANDONED})
"""Endings of matches that nobody has won."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat and the player who began the match in it.

    `was_replaced` is whether somebody else, or a robot, held it at the end; `ran_out` whether the match was given up
    since their time had run out.
    """

    seat: int
    player: int
    is_confirmed: bool = True
    was_replaced: bool = False
    ran_out: bool = False


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A finished match with all its seats; `began_with_robot` if a robot held one from the first.

    `began_with_unrated_bot` is whether a bot did, and its owner and the host have not both agreed to be rated. `scores`
    are those of all seats by number, if it was played to its end, and `winners` are seats. `moves` were played, of the
    `usual_moves` that such a match takes.
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
    began_with_robot: bool = False
    began_with_unrated_bot: bool = False
    is_of_event: bool = False

    @property
    def was_left(self) -> bool:
        """Whether one who began it was replaced."""
        return any(one.was_replaced for one in self.seats)


def ranks(match: MatchFacts) -> tuple[int, ...]:
    """Return the place of each seat's first player, 0 for the best; equal places are ties.

    Those who were replaced are last. The others are ordered by their final scores if the match was played to its end;
    else those who resigned or ran out of time share a place behind those who did not.
    """
    keys = [_rank_key(match, one) for one in match.seats]
    ordered = sorted(keys)
    return tuple(ordered.index(key) for key in keys)


def lost_on_time(match: MatchFacts) -> frozenset[int]:
    """Return the players who lost a match on time, or whose seat went to somebody else."""
    if match.ending == ABANDONED:
        return frozenset(one.player for one, place in zip(match.seats, ranks(match), strict=True) if place)
    out_of_time = match.ending == TIMED_OUT
    gone = (one for one in match.seats if one.was_replaced or (out_of_time and one.seat not in match.winners))
    return frozenset(one.player for one in gone)


def _rank_key(match: MatchFacts, seat: SeatFacts) -> tuple[bool, bool, int]:
    if seat.was_replaced:
        return (True, True, 0)
    if match.ending == ABANDONED:
        return (False, seat.ran_out, 0)
    has_lost = seat.seat not in match.winners
    scores = match.scores if match.ending == FINISHED else None
    return (False, has_lost, -scores[seat.seat - 1] if scores else 0)
