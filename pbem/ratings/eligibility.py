"""Whether a match counts for ratings, and the reason if it does not."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

from pbem.ratings.match_facts import ABANDONED, AGREED, WITHOUT_WINNERS, lost_on_time, ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pbem.ratings.match_facts import MatchFacts

WINDOW = timedelta(days=30)
"""Time in which the matches of a pair and the losses of a player are counted."""
MAX_MATCHES_PER_PAIR = 2
MAX_LOSSES_ON_TIME = 3
_LEAST_SHARE_OF_MOVES = 0.25


class Reason(StrEnum):
    """Why a match does not count."""

    SOLO = "solo"
    FORK = "practice"
    IMPORTED = "imported"
    PRIVATE = "private"
    ROBOT = "robot"
    BOT = "bot"
    FRIENDLY = "not rated"
    ANNULLED = "annulled"
    VOID = "void"
    SHORT_DRAW = "early draw"
    SAME_PERSON = "same person"
    UNCONFIRMED = "unconfirmed address"
    PAIR_LIMIT = "pair limit"
    TIMEOUT_LIMIT = "timeout limit"


def exclusion(match: MatchFacts) -> Reason | None:
    """Return why a match counts for nobody, from the match alone; None if it counts."""
    return next((reason for reason, applies in _CHECKS if applies(match)), None)


def pairs_of(players: Iterable[int]) -> list[tuple[int, int]]:
    """Return each pair of some players, the lower number first."""
    return list(combinations(sorted(players), 2))


def limit(
    match: MatchFacts, counted_pairs: Callable[[tuple[int, int]], int], losses: Callable[[int], int]
) -> Reason | None:
    """Return which limit keeps a match from counting.

    `counted_pairs` returns how many matches of a pair counted in the window before this one, beside those of events,
    where nobody chooses whom they play; `losses` how many losses on time of a player.
    """
    pairs = pairs_of(one.player for one in match.seats)
    if not match.is_of_event and any(counted_pairs(pair) >= MAX_MATCHES_PER_PAIR for pair in pairs):
        return Reason.PAIR_LIMIT
    if any(losses(player) >= MAX_LOSSES_ON_TIME for player in lost_on_time(match)):
        return Reason.TIMEOUT_LIMIT
    return None


def _is_void(match: MatchFacts) -> bool:
    # Where one has left, or the others gave the match up since one's time had run out, that one has lost.
    has_loser = match.ending == ABANDONED and any(ranks(match))
    return match.ending in WITHOUT_WINNERS and not has_loser


def _is_short_draw(match: MatchFacts) -> bool:
    # Somebody who has left has lost all the same, whatever the others agree on.
    is_short = match.moves < _LEAST_SHARE_OF_MOVES * match.usual_moves
    return match.ending == AGREED and is_short and not match.was_left


_CHECKS: tuple[tuple[Reason, Callable[[MatchFacts], bool]], ...] = (
    (Reason.IMPORTED, lambda match: match.is_import),
    (Reason.FORK, lambda match: match.is_fork),
    (Reason.SOLO, lambda match: len(match.seats) < 2),  # noqa: PLR2004
    (Reason.ROBOT, lambda match: match.began_with_robot),
    (Reason.BOT, lambda match: match.began_with_unrated_bot),
    (Reason.PRIVATE, lambda match: not match.is_public),
    (Reason.FRIENDLY, lambda match: not match.is_rated),
    (Reason.ANNULLED, lambda match: match.is_annulled),
    (Reason.VOID, _is_void),
    (Reason.SAME_PERSON, lambda match: len({one.player for one in match.seats}) < len(match.seats)),
    (Reason.UNCONFIRMED, lambda match: not all(one.is_confirmed for one in match.seats)),
    (Reason.SHORT_DRAW, _is_short_draw),
)
