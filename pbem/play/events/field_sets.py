"""The deals of a field: who plays them at which tables, and how these compare once a deal is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from pbem.db.models import DealSet, Entrant, Event, EventMatch, Match, SeatHolder
from pbem.events.deal_scores import SeatScore, TableResult, compare, standings
from pbem.play.matches import descriptions
from pbem.play.ratings import facts
from pbem.ratings.match_facts import FINISHED, TIMED_OUT
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.events.deal_scores import Row
    from pbem.play.core.context import Context
    from pbem.ratings.match_facts import MatchFacts

_MAX_TABLES = 10_000
_LEFT = frozenset({TIMED_OUT, "resigned", "abandoned"})
"""Endings by the people who did not win."""


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    """A seat with the player who began there, as the field lists them; `left` if they did not stay."""

    player: int
    name: str
    robot_level: str | None
    left: bool = False
    points: int | None = None
    score: SeatScore | None = None

    @property
    def is_robot(self) -> bool:
        """Whether a robot began there."""
        return self.robot_level is not None

    @property
    def listed(self) -> str:
        """The name as lists show it, with the level of a robot."""
        return descriptions.list_name(self.name, self.robot_level)


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A table of a deal: its match, how far that is, and its seats in order."""

    match: str
    place: int
    moves: int
    is_over: bool
    seats: tuple[SeatAtTable, ...]

    @property
    def is_finished(self) -> bool:
        """Whether it was played to its end, and counts for the others."""
        return all(seat.points is not None for seat in self.seats)


@dataclass(frozen=True, slots=True)
class FieldDeal:
    """A deal of a field, from 1, with its tables by place; `is_compared` once it is open and two tables finished."""

    deal_set: DealSet
    number: int
    tables: tuple[FieldTable, ...]
    is_compared: bool

    @property
    def is_open(self) -> bool:
        """Whether its cards and results are public."""
        return self.deal_set.opened_at is not None

    def table_of(self, player: int) -> tuple[FieldTable, int] | None:
        """Return the table at which a player began, and their seat from 1.

        An account that took over another one's seats may have several: the first that it has not left counts.
        """
        seats = [(table, seat, one) for table in self.tables for seat, one in enumerate(table.seats, 1)]
        own = sorted((one for one in seats if one[2].player == player), key=lambda one: one[2].left)
        return own[0][:2] if own else None


def sets_of(ctx: Context, event: Event) -> list[DealSet]:
    """List the deals of a field, in the order of their numbers."""
    return [*ctx.session.scalars(select(DealSet).where(DealSet.event_id == event.id).order_by(DealSet.id))]


def load_deals(ctx: Context, event: Event) -> list[FieldDeal]:
    """Load the deals of a field with their tables; points and scores only of those that are open."""
    deals = sets_of(ctx, event)
    names = _names(ctx, event)
    tables = _load_tables(ctx, event, names)
    results = _load_results(ctx, [deal_set for deal_set in deals if deal_set.opened_at])
    return [_deal(deal_set, number, tables.get(deal_set.id, []), results) for number, deal_set in enumerate(deals, 1)]


def load_deal(ctx: Context, deal_set: DealSet) -> tuple[Event, FieldDeal]:
    """Load one deal of a field with its tables, and the field."""
    event = ctx.session.get_one(Event, deal_set.event_id)
    return event, next(one for one in load_deals(ctx, event) if one.deal_set.id == deal_set.id)


def field_table(ctx: Context, event: Event, deals: Sequence[FieldDeal]) -> list[tuple[Entrant, Row[int]]]:
    """Return the table of a field from the deals that are open, the best first."""
    entered = select(Entrant).where(Entrant.event_id == event.id).order_by(Entrant.entered_at, Entrant.player_id)
    known = {one.player_id: one for one in ctx.session.scalars(entered)}
    scores: dict[int, list[SeatScore | None]] = {}
    for deal in deals:
        for player in known:
            if place := deal.table_of(player):
                table, seat = place
                scores.setdefault(player, []).append(table.seats[seat - 1].score)
    return [(known[row.player], row) for row in standings(scores)]


def _names(ctx: Context, event: Event) -> dict[int, str]:
    rows = ctx.session.execute(select(Entrant.player_id, Entrant.name).where(Entrant.event_id == event.id))
    return {row.player_id: row.name for row in rows}


def _load_tables(ctx: Context, event: Event, names: Mapping[int, str]) -> dict[str, list[FieldTable]]:
    """Load the tables of a field by deal: who began in which seat, and how far they are."""
    columns = Match.id, Match.set_id, Match.set_place, Match.next_ply, Match.state
    matches = ctx.session.execute(select(*columns).where(Match.event_id == event.id).order_by(Match.set_place)).all()
    held = select(SeatHolder).where(SeatHolder.match_id.in_([match.id for match in matches]))
    first: dict[str, dict[int, SeatHolder]] = {}
    for holder in ctx.session.scalars(held.order_by(SeatHolder.id).options(joinedload(SeatHolder.player))):
        first.setdefault(holder.match_id, {}).setdefault(holder.seat, holder)
    tables: dict[str, list[FieldTable]] = {}
    for match in matches:
        seats = tuple(
            SeatAtTable(
                holder.player_id,
                names.get(holder.player_id, holder.name),
                holder.player.robot_level,
            )
            for _seat, holder in sorted(first.get(match.id, {}).items())
        )
        is_over = match.state == MatchState.OVER
        tables.setdefault(match.set_id, []).append(
            FieldTable(match.id, match.set_place, match.next_ply - 1, is_over, seats)
        )
    return tables


def _load_results(ctx: Context, opened: Sequence[DealSet]) -> dict[str, MatchFacts]:
    """Load the results of the matches of deals that are open, without those that an operator annulled."""
    annulled = select(EventMatch.match_id).where(EventMatch.annulled_at.is_not(None))
    of_sets = Match.set_id.in_([deal_set.id for deal_set in opened]), Match.state == MatchState.OVER
    found = facts.load(ctx, (*of_sets, Match.id.not_in(annulled)), _MAX_TABLES) if opened else []
    return {one.match: one for one in found}


def _deal(deal_set: DealSet, number: int, tables: Sequence[FieldTable], results: Mapping[str, MatchFacts]) -> FieldDeal:
    compared = (
        compare([_table_result(table, results.get(table.match)) for table in tables]) if deal_set.opened_at else None
    )
    scored = compared or [None] * len(tables)
    return FieldDeal(
        deal_set,
        number,
        tuple(_scored(table, results.get(table.match), scores) for table, scores in zip(tables, scored, strict=True)),
        compared is not None,
    )


def _table_result(table: FieldTable, found: MatchFacts | None) -> TableResult:
    if found is None:
        return TableResult(None)
    return TableResult(found.scores if found.ending == FINISHED else None, _leavers(table, found))


def _leavers(table: FieldTable, found: MatchFacts) -> frozenset[int]:
    """Return the seats whose players did not stay: replaced, resigned, or out of time."""
    people = {seat for seat, one in enumerate(table.seats, 1) if not one.is_robot}
    lost = people - found.winners if found.ending in _LEFT else frozenset()
    return frozenset({one.seat for one in found.seats if one.was_replaced} | lost)


def _scored(table: FieldTable, found: MatchFacts | None, scores: Sequence[SeatScore | None] | None) -> FieldTable:
    if found is None:
        return table
    points = found.scores if found.ending == FINISHED else None
    left = _leavers(table, found)
    seats = tuple(
        SeatAtTable(
            one.player,
            one.name,
            one.robot_level,
            seat in left,
            points[seat - 1] if points else None,
            scores[seat - 1] if scores else None,
        )
        for seat, one in enumerate(table.seats, 1)
    )
    return FieldTable(table.match, table.place, table.moves, table.is_over, seats)
