"""The groups of a season as they stand, computed from its matches by a fixed number of statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, or_, select

from pbem.db.models import Entrant, EventMatch, Match, Player, SeatHolder
from pbem.events import league_table
from pbem.events.league_table import TableResult
from pbem.ratings.match_facts import WITHOUT_WINNERS, MatchFacts, SeatFacts, ranks
from pbem.states import EntrantState, MatchRole, MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from pbem.db.models import Event
    from pbem.events.league_table import Movement, Row
    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class SeasonMatch:
    """A match of a group; `result.players` are its entrants by seat, and `names` theirs; None for a robot."""

    id: str
    names: tuple[str | None, ...]
    state: MatchState
    result: TableResult
    is_friendly: bool
    is_annulled: bool


class Meeting(NamedTuple):
    """How two of a group met: at which match, and the points of the first one; None while it is not decided."""

    match: SeasonMatch
    points: float | None


@dataclass(frozen=True, slots=True)
class GroupTable:
    """A group: its entrants by player, the rows of its table in order, and its matches.

    `movements` say where a place leads in the next season, `meetings` how two players met, as the first one sees it.
    """

    number: int
    entrants: Mapping[int, Entrant]
    rows: tuple[Row, ...]
    matches: tuple[SeasonMatch, ...]
    movements: Mapping[int, Movement]
    meetings: Mapping[tuple[int, int], Meeting] = field(repr=False)


def load(ctx: Context, event: Event, groups: Collection[int] | None = None) -> list[GroupTable]:
    """Load some groups of a season, or all, in order."""
    rows = _load_entrants(ctx, event, groups)
    if not rows:
        return []
    entrants = {row.Entrant.player_id: row.Entrant for row in rows}
    matches = _load_matches(ctx, event, groups, entrants)
    members = {grp: [row.Entrant for row in found] for grp, found in groupby(rows, lambda row: int(row.Entrant.grp))}
    return [_table(number, rows[0].groups, found, matches.get(number, [])) for number, found in members.items()]


def _load_entrants(ctx: Context, event: Event, groups: Collection[int] | None) -> Sequence[Any]:
    """Load the entrants of groups in order of their entries, each with the number of all groups."""
    count = select(func.max(Entrant.grp)).where(Entrant.event_id == event.id).scalar_subquery()
    drawn = select(Entrant, count.label("groups")).where(Entrant.event_id == event.id, Entrant.grp.is_not(None))
    if groups is not None:
        drawn = drawn.where(Entrant.grp.in_(groups))
    return ctx.session.execute(drawn.order_by(Entrant.grp, Entrant.entered_at, Entrant.player_id)).all()


def _load_matches(
    ctx: Context, event: Event, groups: Collection[int] | None, entrants: Mapping[int, Entrant]
) -> dict[int, list[SeasonMatch]]:
    """Load the matches of groups, by group, in the order in which they were made."""
    columns = EventMatch.grp, EventMatch.role, EventMatch.annulled_at, Match.id, Match.game, Match.state, Match.result
    played = select(*columns, Match.ended_at).join(Match, Match.id == EventMatch.match_id)
    # A season's matches are few of all: by the index of either table they are found without reading the other whole.
    of_season = EventMatch.event_id == event.id, Match.event_id == event.id, EventMatch.grp.is_not(None)
    played = played.where(*of_season)
    if groups is not None:
        played = played.where(EventMatch.grp.in_(groups))
    rows = ctx.session.execute(played.order_by(EventMatch.grp, Match.created_at, Match.id)).all()
    held = select(SeatHolder.match_id, SeatHolder.seat, SeatHolder.player_id, SeatHolder.name, Player.is_robot)
    held = held.join(Player, Player.id == SeatHolder.player_id).join(
        EventMatch, EventMatch.match_id == SeatHolder.match_id
    )
    held = held.join(Match, Match.id == SeatHolder.match_id)
    # Those who left before a match began have no part in it.
    held = held.where(or_(SeatHolder.left_at.is_(None), SeatHolder.left_at > Match.started_at))
    held = held.where(*of_season)
    if groups is not None:
        held = held.where(EventMatch.grp.in_(groups))
    holders = ctx.session.execute(held.order_by(SeatHolder.match_id, SeatHolder.seat, SeatHolder.id))
    seats = {match: [*found] for match, found in groupby(holders, lambda row: str(row.match_id))}
    found: dict[int, list[SeasonMatch]] = {}
    for row in rows:
        # The table of a season that is over is final, whatever is played after its last day.
        is_late = event.ended_at is not None and row.ended_at is not None and row.ended_at > event.ended_at
        result = None if is_late else row.result
        found.setdefault(row.grp, []).append(_match(row, result, seats.get(row.id, ()), entrants))
    return found


def _match(
    row: Any, result: Mapping[str, Any] | None, held: Sequence[Any], entrants: Mapping[int, Entrant]
) -> SeasonMatch:
    seats = [_seat(seat, [*holders], entrants) for seat, holders in groupby(held, lambda one: int(one.seat))]
    is_friendly, is_annulled = row.role == MatchRole.FRIENDLY, row.annulled_at is not None
    players = tuple(player for _facts, player, _name in seats)
    names = tuple(name for _facts, _player, name in seats)
    scores = points = None
    if row.state == MatchState.OVER and result and result["ending"] not in WITHOUT_WINNERS:
        reached = result["scores"]
        points = tuple(reached[str(seat)] for seat in range(1, len(seats) + 1)) if reached else None
        facts = MatchFacts(
            match=row.id,
            game=row.game,
            ended_at=row.ended_at,
            ending=result["ending"],
            winners=frozenset(result["winners"]),
            scores=points,
            seats=tuple(facts for facts, _player, _name in seats),
        )
        scores = tuple(-rank for rank in ranks(facts))
    counts = not is_friendly and not is_annulled
    decided = TableResult(players, scores, points, row.ended_at, counts)
    return SeasonMatch(row.id, names, row.state, decided, is_friendly, is_annulled)


def _seat(
    seat: int, holders: Sequence[Any], entrants: Mapping[int, Entrant]
) -> tuple[SeatFacts, int | None, str | None]:
    """Return who played for a seat, and their name: the last entrant in it, even if replaced."""
    last = next((one for one in reversed(holders) if one.player_id in entrants), holders[0])
    was_replaced = last is not holders[-1]
    facts = SeatFacts(seat, last.player_id, was_replaced=was_replaced)
    if last.is_robot:
        return facts, None, None
    known = entrants.get(last.player_id)
    return facts, last.player_id, known.name if known else last.name


def _table(number: int, groups: int, members: Sequence[Entrant], matches: Sequence[SeasonMatch]) -> GroupTable:
    results = [match.result for match in matches]
    seated = {player for result in results for player in result.players}
    # Somebody whose places in all matches were taken by a substitute is no member any more.
    entrants = {one.player_id: one for one in members if one.player_id in seated or _is_in(one) or not matches}
    left = {player: one.left_at for player, one in entrants.items() if not _is_in(one) and one.left_at}
    rows = league_table.standings([*entrants], results, left)
    placed = [row.player for row in rows if row.place is not None]
    return GroupTable(
        number=number,
        entrants=entrants,
        rows=rows,
        matches=tuple(matches),
        movements=league_table.movements(rows, number, groups),
        meetings=dict(_meetings(matches, placed, left)),
    )


def _meetings(
    matches: Sequence[SeasonMatch], placed: Sequence[int], left: Mapping[int, datetime]
) -> Iterator[tuple[tuple[int, int], Meeting]]:
    """Yield how every two of a group met, as each of them sees it."""
    # One person may have met another one twice, if accounts were merged since: what counts is shown.
    for match in sorted(matches, key=lambda one: one.result.counts):
        decided: dict[tuple[int, int], float] = {}
        for one in league_table.meetings(placed, [match.result], left):
            decided |= {(one.first, one.second): one.points, (one.second, one.first): 1 - one.points}
        people = [player for player in match.result.players if player is not None]
        for first, second in combinations(people, 2):
            for pair in ((first, second), (second, first)) if first != second else ():
                yield pair, Meeting(match, decided.get(pair))


def _is_in(entrant: Entrant) -> bool:
    return entrant.state == EntrantState.ENTERED
