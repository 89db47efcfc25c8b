"""Groups of a season: who is drawn into which, by last season's places, and by rating where there are none.

A group that is short has robots. They sit where as many tables as possible are without one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

from pbem.events.designs import DESIGNS, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.events.designs import Design

    Group = tuple[int | None, ...]

MIN_ENTRANTS = 3
"""Fewer entrants make no season."""


@dataclass(frozen=True, slots=True)
class GroupEntrant:
    """An entrant who is to be drawn into a group.

    `group` is the number of the group that they are to play in, and `place` their place in last season's; both are
    None for newcomers. `rating` orders those. `household` are the players with whom they share one.
    """

    player: int
    group: int | None = None
    place: int | None = None
    rating: float = 0
    household: frozenset[int] = frozenset()


def choose_design(seats: int, entrants: int) -> Design:
    """Return the design of the groups of a season: that with the fewest robots, and of several the smallest."""
    return min(DESIGNS[seats], key=lambda design: (-entrants % design.group, design.group))


def draw_groups(entrants: Sequence[GroupEntrant], design: Design) -> tuple[Group, ...]:
    """Return the members of each group, the best group first; None is a robot.

    People of one household are in different groups, as far as there are others.
    """
    ordered = [one.player for one in sorted(entrants, key=_rank)]
    count = -(-len(ordered) // design.group)
    sizes = [len(ordered) // count + (number < len(ordered) % count) for number in range(count)]
    players = iter(ordered)
    people = [[next(players) for _member in range(size)] for size in sizes]
    _part_households(people, {one.player: one.household for one in entrants})
    return tuple(seat_group(group, design) for group in people)


def seat_group(people: Sequence[int | None], design: Design) -> Group:
    """Return the members of a group in the order of its design, with robots for those who are missing."""
    robots = _robot_places(design, design.group - len(people))
    members = iter(people)
    return tuple(None if place in robots else next(members) for place in range(design.group))


def _rank(entrant: GroupEntrant) -> tuple[bool, int, int, float, int]:
    """Return the key by which entrants are ordered: newcomers come last, the best rated first."""
    is_new = entrant.group is None
    return is_new, entrant.group or 0, entrant.place or 0, -entrant.rating if is_new else 0, entrant.player


def _part_households(people: list[list[int]], households: dict[int, frozenset[int]]) -> None:
    """Exchange members of groups until nobody is with their household, always with the nearest that is possible."""
    for number, group in enumerate(people):
        for member in range(len(group)):
            if not households[group[member]] & {*group}:
                continue
            for other, place in _nearest(people, number, member):
                if _may_exchange(people, households, (number, member), (other, place)):
                    group[member], people[other][place] = people[other][place], group[member]
                    break


def _nearest(people: list[list[int]], number: int, member: int) -> Iterator[tuple[int, int]]:
    """Yield the places in other groups, by their distance in the order of all."""
    places = [(group, place) for group, members in enumerate(people) for place in range(len(members))]
    own = places.index((number, member))
    ordered = sorted(range(len(places)), key=lambda index: (abs(index - own), -index))
    return (places[index] for index in ordered if places[index][0] != number)


def _may_exchange(
    people: list[list[int]], households: dict[int, frozenset[int]], here: tuple[int, int], there: tuple[int, int]
) -> bool:
    first, second = people[here[0]][here[1]], people[there[0]][there[1]]
    # Neither meets somebody of their household where they go.
    return not (households[first] & {*people[there[0]]} - {second} or households[second] & {*people[here[0]]} - {first})


@cache
def _robot_places(design: Design, count: int) -> frozenset[int]:
    """Return where robots sit: as many tables as possible are without one, shared as evenly as possible."""
    known = tables(design)

    def tables_of_people(robots: tuple[int, ...]) -> tuple[int, int]:
        full = [table for table in known if not {*table} & {*robots}]
        played = Counter(chain.from_iterable(full))
        return len(full), min((played[place] for place in range(design.group) if place not in robots), default=0)

    places = [*combinations(reversed(range(design.group)), count)]
    best = max(places, key=tables_of_people)
    return frozenset(best)
