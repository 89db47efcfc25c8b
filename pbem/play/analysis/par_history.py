"""A player's matches with par, and how they did on average in each game.

Matches count that ended by the rules, and in which the player sat from the first move to the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, literal_column, select, tuple_

from pbem.db.models import Analysis, Match, SeatHolder
from pbem.play.analysis import comparison
from pbem.robots.analyses import PAR
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.analysis.comparison import Comparison
    from pbem.play.core.context import Context

DEALS_PER_PAGE = 20
"""Number of matches per page."""

_COUNTS = (
    SeatHolder.player_id == bindparam("player"),
    SeatHolder.left_at.is_(None),
    SeatHolder.seated_at <= Match.started_at,
    Match.state == MatchState.OVER,
    Match.result["ending"].astext == "finished",
    Analysis.kind == PAR,
    Analysis.result.is_not(None),
)
_DEALS = (
    select(Match, SeatHolder.seat, Analysis.result)
    .join(SeatHolder, SeatHolder.match_id == Match.id)
    .join(Analysis, Analysis.match_id == Match.id)
    .where(*_COUNTS)
    .order_by(Match.ended_at.desc(), Match.id.desc(), SeatHolder.seat)
    .limit(DEALS_PER_PAGE + 1)
)
_DEALS_BEFORE = _DEALS.where(
    tuple_(Match.ended_at, Match.id) < tuple_(bindparam("ended_at", type_=Match.ended_at.type), bindparam("match"))
)
_ROBOT_MEAN: ColumnElement[Any] = literal_column(
    "(SELECT avg((play ->> seat_holders.seat - 1)::float) FROM jsonb_array_elements(analyses.result -> 'plays') play)"
)
_OWN_POINTS: ColumnElement[Any] = literal_column("(matches.result -> 'scores' ->> seat_holders.seat::text)::float")
_TOTALS = (
    select(Match.game, func.count().label("matches"), func.avg(_OWN_POINTS - _ROBOT_MEAN).label("difference"))
    .select_from(Match)
    .join(SeatHolder, SeatHolder.match_id == Match.id)
    .join(Analysis, Analysis.match_id == Match.id)
    .where(*_COUNTS)
    .group_by(Match.game)
    .order_by(Match.game)
)


@dataclass(frozen=True, slots=True)
class Deal:
    """A match of a player, and how they did there beside the robot."""

    match: Match
    compared: Comparison


@dataclass(frozen=True, slots=True)
class Total:
    """The number of a player's matches of a game with par, and by how many points they did better on average."""

    game: str
    matches: int
    difference: float


def deals(ctx: Context, player: int, before: tuple[datetime, str] | None = None) -> list[Deal]:
    """List a player's matches with par, newest first, from before an end time and match id.

    One more than a page is returned, so that the caller sees whether there are more.
    """
    if before is None:
        rows = ctx.session.execute(_DEALS, {"player": player})
    else:
        rows = ctx.session.execute(_DEALS_BEFORE, {"player": player, "ended_at": before[0], "match": before[1]})
    return [Deal(match, comparison.compare(seat, par, match.result or {}, [seat])) for match, seat, par in rows]


def totals(ctx: Context, player: int) -> list[Total]:
    """List the games in which a player has matches with par, with what they come to."""
    return [
        Total(game, matches, difference)
        for game, matches, difference in ctx.session.execute(_TOTALS, {"player": player})
    ]
