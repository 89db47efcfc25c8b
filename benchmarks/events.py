"""Whether seasons end, and tables are right: 1,000 people in eight seasons of leagues: `make simulate-events`.

The people are those of `make simulate`. Groups, tables and the ladder are by the rules of `pbem.events`, deadlines by
the arithmetic of clocks; there is no database, so that two years take minutes. Prints the figures beside their goals.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from benchmarks.goals import Reached, percentile
from benchmarks.ladder_years import Ladder
from benchmarks.options import Options
from benchmarks.ratings import spearman
from benchmarks.seasons import DRAW_BEFORE, League, season_begin
from benchmarks.timed_matches import Agenda, Rules
from pbem.play.clocks import time_controls
from pbem.play.clocks.calculation import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.seasons import Group

LEAGUES: tuple[tuple[str, int, Mapping[str, object], str], ...] = (
    ("martian-whist", 2, {"sets": 2}, time_controls.LEAGUE),
    ("martian-trickery", 3, {"hands": 1}, time_controls.LEAGUE_TABLE),
)
"""A league of two seats, and one of three."""
SOON, LATE = 80, 130
LATE_SHARE = 5
"""Days after which most groups are over, and all, and how many of a hundred may take longer than the first."""
PLACE_HELD = 60
"""So many days at most somebody keeps a place on a ladder without a match."""


def main() -> int:
    """Simulate leagues and a ladder, and print what came of them; 1 where a goal is missed."""
    options = Options(__doc__)
    options.number("--entrants", 1000, 30, "so many people are in each league, and on the ladder")
    options.number("--seasons", 8, 2)
    options.number("--seed", 1, 1)
    told = options.told()
    reached: list[Reached] = []
    for game, seats, choices, clock in LEAGUES:
        rules = Rules.measured(game, seats, choices, clock)
        chosen = Random(told.seed)  # noqa: S311 -- lives, not secrets
        league = League(Agenda(season_begin(1) - DRAW_BEFORE), chosen, rules, seats, told.entrants)
        begun = time.process_time()
        league.run(told.seasons)
        print(f"League of {game}, {seats} seats: {time.process_time() - begun:.0f} s of the processor")
        reached += league_goals(league)
    game, seats, choices, _clock = LEAGUES[0]
    ladder = Ladder(
        Agenda(season_begin(1)),
        Random(told.seed),  # noqa: S311
        Rules.measured(game, seats, choices, time_controls.DEFAULT),
        told.entrants,
    )
    begun = time.process_time()
    ladder.run(season_begin(told.seasons + 1))
    print(f"Ladder of {game}: {time.process_time() - begun:.0f} s of the processor")
    reached += ladder_goals(ladder)
    return int(any(one.found > one.most for one in reached) and not told.smoke)


def league_goals(league: League) -> list[Reached]:
    """Print what came of a league, beside its goals."""
    groups = league.groups
    days = [(group.over_at - group.started_at) / DAY for group in groups if group.over_at]
    matches = [match for group in groups for match in group.matches]
    timed_out = sum(len(match.timed_out) for match in matches)
    print(f"  {len(groups)} groups, {len(matches)} matches, {league.table.moves} moves")
    print(f"  lost on time: {timed_out}; withdrawn: {dict(league.withdrawn)}")
    shares = ", ".join(f"{share:.0%} of groups {percentile(days, share):.0f}" for share in (0.5, 0.9, 0.95))
    print(f"  days until all matches are over: {shares}; groups that ran at the next draw: {league.unfinished_at_draw}")
    slow = 100 * sum(one > SOON for one in days) / len(days)
    short = [group for group in groups if group.is_short]
    print(f"  groups with robots: {len(short)}, of them with unequal meetings: {sum(map(_is_unequal, short))}")
    reached = [
        Reached("groups that never ended", sum(group.over_at is None for group in groups), 0),
        Reached(f"groups not over within {SOON} days", slow, LATE_SHARE, " %"),
        Reached("the longest, days", max(days), LATE),
        Reached("pairs that met not once", sum(_wrong_pairs(group) for group in groups), 0),
        Reached("entrants without each seat equally often", sum(_unequal_seats(group) for group in groups), 0),
        Reached("tables that differ when computed anew", sum(map(_differs, groups)), 0),
        Reached("groups with unequal meetings", sum(map(_is_unequal, groups)) - sum(map(_is_unequal, short)), 0),
        Reached("people of one household in a group", sum(_together(group, league) for group in groups), 0),
    ]
    print(*(f"  {one}" for one in reached), sep="\n")
    return reached


def _wrong_pairs(group: Group) -> int:
    """Count the pairs of a group's people who met never, or more than once."""
    met = Counter(
        pair
        for seated in group.seated.values()
        for pair in combinations(sorted(one for one in seated if one is not None), 2)
    )
    return sum(met[pair] != 1 for pair in combinations(sorted(group.entrants), 2))


def _unequal_seats(group: Group) -> int:
    """Count the people of a group who have one seat more often than another."""
    counted = Counter((player, seat) for seated in group.seated.values() for seat, player in enumerate(seated))
    seats = range(len(next(iter(group.seated.values()))))
    return sum(len({counted[player, seat] for seat in seats}) > 1 for player in group.entrants)


def _differs(group: Group) -> bool:
    """Return whether the table differs from that at the end of the group, computed anew from matches in any order."""
    matches = [*group.matches]
    Random(0).shuffle(matches)  # noqa: S311
    group.matches = matches
    return group.over_at is None or group.table() != group.rows


def _is_unequal(group: Group) -> bool:
    """Return whether somebody whose results count has more decided meetings than somebody else."""
    return len({row.meetings for row in group.rows if row.place is not None}) > 1


def _together(group: Group, league: League) -> int:
    """Count the people of a group who live with another one of it."""
    return sum(bool(league.households[player] & group.entrants.keys()) for player in group.entrants)


def ladder_goals(ladder: Ladder) -> list[Reached]:
    """Print what came of a ladder, beside its goals."""
    print(f"  {ladder.newest} people on {ladder.size} places, {ladder.table.moves} moves")
    print("  " + ", ".join(f"{what}: {count}" for what, count in sorted(ladder.what_happened.items())))
    strengths = [-ladder.entrants[player].strength for player in ladder.order]
    print(f"  correlation of places with strength: {spearman(range(len(strengths)), strengths):.2f}")
    reached = [
        Reached("the longest time on a place without a match, days", ladder.longest_idle / DAY, PLACE_HELD),
        Reached("orders in which somebody stands twice, or is missing", ladder.gaps, 0),
    ]
    print(*(f"  {one}" for one in reached), sep="\n")
    return reached


if __name__ == "__main__":
    sys.exit(main())
