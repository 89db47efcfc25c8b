"""Pairs of players whose rated matches nearly always end for the same one, who meets few others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from pbem.play.core.context import Context

MIN_MATCHES, MIN_SHARE, MAX_OTHERS = 8, 0.8, 2
"""Minimum rated matches of a pair, minimum share that one of them won, and maximum other opponents of that one."""
MAX_PAIRS = 100


@dataclass(frozen=True, slots=True)
class RatingPair:
    """A pair: how many matches they rated, how many the first came out ahead in, and whom else the first met."""

    winner: int
    winner_name: str
    loser: int
    loser_name: str
    matches: int
    won: int
    others: int


_QUERY = text("""
    WITH pairs AS (
        SELECT ahead.player_id AS winner, behind.player_id AS loser, count(*) AS matches,
            count(*) FILTER (WHERE ahead.rank < behind.rank) AS won
        FROM rating_changes AS ahead
            JOIN rating_changes AS behind ON behind.match_id = ahead.match_id AND behind.player_id <> ahead.player_id
        GROUP BY ahead.player_id, behind.player_id
        HAVING count(*) >= :least AND count(*) FILTER (WHERE ahead.rank < behind.rank) >= :share * count(*)
    )
    SELECT winner, one.name AS winner_name, loser, other.name AS loser_name, matches, won, others
    FROM pairs JOIN players AS one ON one.id = winner JOIN players AS other ON other.id = loser,
        LATERAL (SELECT count(DISTINCT third.player_id) AS others
            FROM rating_changes AS own JOIN rating_changes AS third ON third.match_id = own.match_id
            WHERE own.player_id = winner AND third.player_id NOT IN (winner, loser)) AS met
    WHERE others <= :most
    ORDER BY matches DESC, winner, loser
    LIMIT :pairs
""")


def list_pairs(ctx: Context) -> list[RatingPair]:
    """List the pairs to look at, those with the most matches first."""
    bounds = {"least": MIN_MATCHES, "share": MIN_SHARE, "most": MAX_OTHERS, "pairs": MAX_PAIRS}
    return [RatingPair(**row) for row in ctx.session.execute(_QUERY, bounds).mappings()]
