"""What ratings need to know of ended matches, loaded in batches."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import exists, or_, select, tuple_

from pbem.db.models import Address, Match, Player, SeatHolder
from pbem.play.clocks import match_lengths
from pbem.play.matches import withheld
from pbem.play.matches.seats import TIMED_OUT
from pbem.play.players import bots
from pbem.ratings.match_facts import MatchFacts, SeatFacts
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select

    from pbem.play.core.context import Context

    Place: TypeAlias = tuple[datetime, str]
    """The place of a match in the order of ratings: when it ended, and its ID."""

_COLUMNS = (
    Match.id,
    Match.game,
    Match.options,
    Match.started_at,
    Match.ended_at,
    Match.result,
    Match.next_ply,
    Match.rated,
    Match.bots,
    Match.public,
    Match.forked_from_id,
    Match.imported_at,
    Match.annulled_at,
    Match.event_id,
)
_WAS_CONFIRMED = or_(
    # Those who left had confirmed it by a mailed link; their addresses are erased.
    Player.deleted_at.is_not(None),
    exists().where(Address.player_id == Player.id, Address.verified_at.is_not(None)),
)
DUE: tuple[ColumnElement[bool], ...] = (
    # The condition of a partial index.
    Match.state == MatchState.OVER,
    Match.rated.is_(True),
    Match.seed.is_not(None),
    Match.rated_at.is_(None),
    # A rating says who won.
    withheld.SHOWS_TABLE,
)
DECIDED: tuple[ColumnElement[bool], ...] = (
    Match.state == MatchState.OVER,
    Match.rated.is_(True),
    Match.seed.is_not(None),
    Match.rated_at.is_not(None),
)


def load(ctx: Context, which: Sequence[ColumnElement[bool]], most: int, after: Place | None = None) -> list[MatchFacts]:
    """Load some matches in the order of their ends, those after a place."""
    ended: Select[Any] = select(*_COLUMNS).where(*which).order_by(Match.ended_at, Match.id).limit(most)
    if after:
        ended = ended.where(tuple_(Match.ended_at, Match.id) > after)
    rows = ctx.session.execute(ended).all()
    if not rows:
        return []
    seats = _load_seats(ctx, [row.id for row in rows])
    return [_facts(row, seats.get(row.id, ())) for row in rows]


def _load_seats(ctx: Context, matches: Sequence[str]) -> dict[str, list[Any]]:
    """Load all who held a seat of some matches since they began, by match, in order of seat and time."""
    held = (
        select(
            SeatHolder.match_id,
            SeatHolder.seat,
            SeatHolder.player_id,
            SeatHolder.leave_reason,
            SeatHolder.rates_as_bot,
            Player.is_robot,
            _WAS_CONFIRMED.label("is_confirmed"),
        )
        .join(Player, Player.id == SeatHolder.player_id)
        .join(Match, Match.id == SeatHolder.match_id)
        .where(SeatHolder.match_id.in_(matches))
        .where(or_(SeatHolder.left_at.is_(None), SeatHolder.left_at > Match.started_at))
        .order_by(SeatHolder.match_id, SeatHolder.seat, SeatHolder.id)
    )
    return {match: [*rows] for match, rows in groupby(ctx.session.execute(held), lambda row: str(row.match_id))}


def _facts(row: Any, held: Sequence[Any]) -> MatchFacts:
    by_seat = [[*rows] for _seat, rows in groupby(held, lambda one: one.seat)]
    first = [rows[0] for rows in by_seat]
    length = match_lengths.estimate(row.game, len(first), row.options)
    scores = row.result["scores"]
    return MatchFacts(
        match=row.id,
        game=row.game,
        ended_at=row.ended_at,
        ending=row.result["ending"],
        winners=frozenset(row.result["winners"]),
        scores=scores and tuple(scores[str(seat)] for seat in range(1, len(scores) + 1)),
        seats=tuple(_seat_facts(rows[0], rows[-1]) for rows in by_seat),
        moves=row.next_ply - 1,
        usual_moves=length.turns * len(first) if length else 0,
        is_rated=row.rated,
        is_public=row.public,
        is_fork=row.forked_from_id is not None,
        is_import=row.imported_at is not None,
        is_annulled=row.annulled_at is not None,
        is_of_event=row.event_id is not None,
        began_with_robot=any(one.is_robot for one in first),
        began_with_unrated_bot=bots.are_unrated(row, first),
    )


def _seat_facts(first: Any, last: Any) -> SeatFacts:
    """Return the facts of a seat from those who held it first and last: they are one for a player who came back."""
    was_replaced = last.player_id != first.player_id
    return SeatFacts(first.seat, first.player_id, first.is_confirmed, was_replaced, last.leave_reason == TIMED_OUT)
