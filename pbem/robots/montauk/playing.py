"""Rounds of Montauk played to their end on numbers, as hasty players would.

They play their cards in the order in which they hold them, and spend so that the least is left to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.games.montauk.round import RACE_PRIZE_POINTS, TRICKS
from pbem.robots.montauk.kinds import STANDING
from pbem.robots.montauk.kinds import TRICKS as RESULTS
from pbem.robots.montauk.spendings import LIGHTEST_END, OFFSET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.robots.montauk.kinds import Extras, Group, Kind, TrackNumber


class Standing(NamedTuple):
    """Public state of a round; all margins are seat 1's."""

    trick: int
    one: TrackNumber
    two: TrackNumber
    bore: bool
    """Whether the winner of the current trick has borne a pyramid off in it."""
    nulls_left: int
    has_first: bool
    margin: int
    """Points for nulls and for the race so far."""


class Ending(NamedTuple):
    """End of a round: seat 1's margin in points, the tracks, and the nulls that nobody took."""

    margin: int
    one: TrackNumber
    two: TrackNumber
    nulls_left: int


def play_on(
    standing: Standing,
    group: Group,
    extras: Extras,
    one_holds: Sequence[Kind],
    two_holds: Sequence[Kind],
    pile: Sequence[Kind],
    *,
    second_wins: bool,
) -> Ending:
    """Play a round on from a trick with a winner, who has a group to use up and then perhaps an extra card."""
    trick, one, two, bore, nulls_left, has_first, margin = standing
    cards, draws = zip(one_holds, two_holds, strict=True), iter(pile)
    while True:
        track = two if second_wins else one
        if track and group:
            track = LIGHTEST_END[OFFSET[group] + track]
        if extras is not None:
            group = extras[next(draws)]
            if track and group:
                track = LIGHTEST_END[OFFSET[group] + track]
        if second_wins:
            bore = bore or STANDING[track] < STANDING[two]
            two = track
        else:
            bore = bore or STANDING[track] < STANDING[one]
            one = track
        # Points of seat 2 are negative.
        sign = -1 if second_wins else 1
        if not (track or has_first):
            has_first = True
            margin += sign * RACE_PRIZE_POINTS
        if nulls_left and not bore:
            # A winner that still stands has won for nothing; else it puts the loser under pressure.
            nulls_left -= 1
            margin -= sign if track else -sign
        if trick == TRICKS or not (one or two):
            return Ending(margin + STANDING[two] - STANDING[one], one, two, nulls_left)
        trick += 1
        bore = False
        first, second = next(cards)
        if second_wins:
            follower_wins, group, extras = RESULTS[second][first]
            second_wins = not follower_wins
        else:
            second_wins, group, extras = RESULTS[first][second]
