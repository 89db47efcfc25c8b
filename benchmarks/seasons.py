"""Seasons of a league as values, over the rules of `pbem.events`: drawn, played, and counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.lives import later_on, people
from benchmarks.timed_matches import Agenda, Entrant, Rules, Table, TimedMatch
from pbem.events.designs import tables
from pbem.events.groups import GroupEntrant, choose_design, draw_groups
from pbem.events.league_table import TableResult, movements, next_group, standings
from pbem.play.clocks.calculation import DAY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from benchmarks.lives import Person
    from pbem.events.designs import Design
    from pbem.events.league_table import Row

FIRST_YEAR, QUARTERS = 2027, 4
DRAW_BEFORE = timedelta(days=2)
MAX_LOSSES_ON_TIME = 2
"""So many losses on time in a season, and one is withdrawn, and not in the next."""
WITHDRAWS, WITHDRAWS_WITHIN = 0.03, 80 * DAY
"""Of so many entrants each withdraws in a season, at any time of its first days."""
AT_HOME = 0.04
"""So many newcomers live with the one before."""


@dataclass(slots=True)
class Member:
    """Somebody in the league: how strong they are, and where they play next."""

    player: int
    person: Person
    strength: float
    group: int | None = None
    place: int | None = None


@dataclass(slots=True, eq=False)
class Group:
    """A group of a season: its entrants by player, its matches, who left when, and its table once all are over."""

    season: int
    number: int
    started_at: datetime
    entrants: dict[int, Entrant]
    matches: list[TimedMatch] = field(default_factory=list)
    seated: dict[TimedMatch, tuple[int | None, ...]] = field(default_factory=dict)
    left: dict[int, datetime] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)
    over_at: datetime | None = None
    rows: tuple[Row, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether robots fill it up."""
        return any(None in seated for seated in self.seated.values())

    def results(self) -> list[TableResult]:
        """Return the results of its matches; those with a robot from the first count for nobody."""
        return [_result(match, self.seated[match]) for match in self.matches]

    def counting(self) -> Iterator[TimedMatch]:
        """Yield the matches that count."""
        return (match for match in self.matches if None not in self.seated[match])

    def table(self) -> tuple[Row, ...]:
        """Return its table, as its matches stand now."""
        return standings(tuple(self.entrants), self.results(), self.left)


@dataclass(slots=True)
class League:
    """A league with its members, and all that happens in it."""

    agenda: Agenda
    chosen: Random
    rules: Rules
    seats: int
    size: int
    table: Table = field(init=False)
    group_of: dict[TimedMatch, Group] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    households: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    withdrawn: Counter[str] = field(default_factory=Counter)
    unfinished_at_draw: int = 0
    newest: int = 0

    def __post_init__(self) -> None:
        """Prepare to play matches by the rules."""
        self.table = Table(self.agenda, self.rules, self.chosen, self._ended, self._ran_out)

    def run(self, seasons: int) -> None:
        """Live through some seasons, until all their matches are over."""
        for season in range(1, seasons + 1):
            begin = season_begin(season)
            self.agenda.run(begin - DRAW_BEFORE)
            drawn = self._draw(season)
            self.agenda.run(begin)
            for members, design in drawn:
                self._begin(season, members, design)
        self.agenda.run()

    def _draw(self, season: int) -> list[tuple[tuple[int | None, ...], Design]]:
        """Draw the groups of a season: who stays, by the tables so far, and newcomers for those who are gone."""
        if season > 1:
            self._place_members(season - 1)
        now = self.agenda.now
        for member in self.members.values():
            member.person = later_on(member.person, now, self.chosen)
        newcomers = people(self.size - len(self.members), now, self.chosen)
        for person in newcomers:
            self.newest += 1
            self.members[self.newest] = Member(self.newest, person, self.chosen.gauss(0, 1))
            if self.chosen.random() < AT_HOME and self.newest - 1 in self.members:
                self.households[self.newest].add(self.newest - 1)
                self.households[self.newest - 1].add(self.newest)
        entrants = [
            GroupEntrant(
                one.player,
                one.group,
                one.place,
                one.strength + self.chosen.gauss(0, 1),
                frozenset(self.households[one.player] & self.members.keys()),
            )
            for one in self.members.values()
        ]
        design = choose_design(self.seats, len(entrants))
        return [(group, design) for group in draw_groups(entrants, design)]

    def _place_members(self, season: int) -> None:
        """Move everybody up and down by the tables as they stand; those who have left are out."""
        ended = [group for group in self.groups if group.season == season]
        self.unfinished_at_draw += sum(group.over_at is None for group in ended)
        for group in ended:
            rows = group.table()
            going = movements(rows, group.number, len(ended))
            for row in rows:
                if row.player in group.left:
                    self.members.pop(row.player, None)
                elif row.place is not None:
                    member = self.members[row.player]
                    member.group, member.place = next_group(group.number, going[row.player]), row.place

    def _begin(self, season: int, players: tuple[int | None, ...], design: Design) -> None:
        """Begin all matches of a group at once."""
        number = 1 + sum(group.season == season for group in self.groups)
        entrants = {player: self._entrant(player) for player in players if player is not None}
        group = Group(season, number, self.agenda.now, entrants)
        self.groups.append(group)
        for places in tables(design):
            seated = tuple(players[place] for place in places)
            match = TimedMatch([entrants[player] if player is not None else None for player in seated], self.agenda.now)
            group.matches.append(match)
            group.seated[match] = seated
            self.group_of[match] = group
        for match in group.matches:
            self.table.begin(match)
        for player in entrants:
            if self.chosen.random() < WITHDRAWS:
                at = self.agenda.now + self.chosen.random() * WITHDRAWS_WITHIN
                self.agenda.later(at, partial(self._withdraw, group, player, "themselves"))

    def _entrant(self, player: int) -> Entrant:
        member = self.members[player]
        return Entrant(player, member.person, member.strength)

    def _ended(self, match: TimedMatch) -> None:
        group = self.group_of[match]
        if group.over_at is None and all(one.ended_at for one in group.counting()):
            group.over_at, group.rows = self.agenda.now, group.table()

    def _ran_out(self, match: TimedMatch, entrant: Entrant) -> None:
        group = self.group_of[match]
        group.losses[entrant.number] += 1
        if group.losses[entrant.number] == MAX_LOSSES_ON_TIME:
            self._withdraw(group, entrant.number, "time")

    def _withdraw(self, group: Group, player: int, why: str) -> None:
        """Take somebody out of the season: a robot plays on for them, or their opponents win."""
        if group.over_at or player in group.left:
            return
        self.withdrawn[why] += 1
        group.left[player] = self.agenda.now
        entrant = group.entrants[player]
        for match in group.matches:
            if match.ended_at is None and entrant in match.seats:
                self.table.leave(match, entrant)


def season_begin(season: int) -> datetime:
    """Return when a season begins: on the first day of a quarter."""
    year, quarter = divmod(season - 1, QUARTERS)
    return datetime(FIRST_YEAR + year, 1 + 3 * quarter, 1, 12, tzinfo=UTC)


def _result(match: TimedMatch, seated: tuple[int | None, ...]) -> TableResult:
    """Return the result of a match: those who left it are behind all others."""
    scores = match.scores
    if scores is not None and len(seated) > 2:  # noqa: PLR2004 -- seats
        scores = tuple(min(scores) - 1 if seat in match.left else score for seat, score in enumerate(scores))
    points = match.scores if not match.left else None
    return TableResult(seated, scores, points, match.ended_at, None not in seated)
