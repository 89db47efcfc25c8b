"""Statistics of a player's newest matches: results by game and by opponent, and thinking times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select, text

from pbem.db.models import SeatHolder
from pbem.play.archive.game_statistics import round_quartiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.play.core.context import Context

MAX_MATCHES = 2000
"""Maximum matches that the statistics of a player cover."""
MAX_OPPONENTS = 40
"""Maximum opponents listed, those with the most common matches first."""

# Opponents are stored by seat and not by name, so that a name erased since then is not shown.
_QUERY = text("""
    WITH chosen AS MATERIALIZED (
        SELECT matches.id, game, seat, result ->> 'ending' AS ending, result -> 'winners' AS winners,
            (result #>> ARRAY['scores', seat::text])::int AS points,
            (SELECT count(*) FROM match_seats WHERE match_id = matches.id) AS size
        FROM seat_holders JOIN matches ON matches.id = match_id
        WHERE player_id = :player AND left_at IS NULL AND state = 'over' AND seed IS NOT NULL
            AND imported_at IS NULL AND forked_from_id IS NULL AND withheld IS DISTINCT FROM 'table'
        ORDER BY ended_at DESC, matches.id
        LIMIT :newest
    ),
    outcomes AS MATERIALIZED (
        SELECT *, size > 1 AND ending IN ('finished', 'resigned', 'timed_out') AS decided,
            winners @> to_jsonb(seat) AS won, jsonb_array_length(winners) = 1 AS alone
        FROM chosen
    ),
    games AS (
        SELECT game, count(*) AS matches, count(*) FILTER (WHERE size = 1) AS solo,
            count(*) FILTER (WHERE decided AND won AND alone) AS won,
            count(*) FILTER (WHERE decided AND won AND NOT alone) AS shared,
            count(*) FILTER (WHERE decided AND NOT won) AS lost,
            count(*) FILTER (WHERE size > 1 AND NOT decided) AS undecided,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY points) AS points
        FROM outcomes GROUP BY game
    ),
    opponents AS (
        SELECT max(other.id) AS holder, count(*) AS matches,
            count(*) FILTER (WHERE decided AND won) AS won,
            count(*) FILTER (WHERE decided AND winners @> to_jsonb(other.seat)) AS theirs
        FROM outcomes JOIN seat_holders AS other ON other.match_id = outcomes.id
        WHERE other.left_at IS NULL AND other.player_id <> :player
        GROUP BY other.player_id
        ORDER BY matches DESC, holder DESC
        LIMIT :opponents
    ),
    thought AS (
        SELECT extract(epoch FROM moved_at - asked_at)::float AS seconds
        FROM chosen JOIN move_timings ON move_timings.match_id = chosen.id
            JOIN seat_holders ON seat_holders.id = move_timings.holder_id
        WHERE seat_holders.player_id = :player AND automatic_reason IS NULL
    )
    SELECT
        (SELECT coalesce(jsonb_agg(to_jsonb(games) ORDER BY matches DESC, game), '[]') FROM games) AS games,
        (SELECT coalesce(jsonb_agg(to_jsonb(opponents) ORDER BY matches DESC, holder DESC), '[]') FROM opponents)
            AS opponents,
        (SELECT count(*) FROM thought) AS moves,
        (SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY seconds) FROM thought) AS seconds
""")


def compute(ctx: Context, player: int) -> dict[str, Any]:
    """Compute the statistics of a player."""
    values = {"player": player, "newest": MAX_MATCHES, "opponents": MAX_OPPONENTS}
    found = ctx.session.execute(_QUERY, values).one()
    return {
        "matches": sum(one["matches"] for one in found.games),
        "at_most": MAX_MATCHES,
        "games": [one | {"points": None if one["points"] is None else round(one["points"])} for one in found.games],
        "opponents": found.opponents,
        "thinking": {"moves": found.moves, "seconds": round_quartiles(found.seconds)},
    }


def with_opponent_names(ctx: Context, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's statistics with the present names of the opponents."""
    seats = {one["holder"] for one in data["opponents"]}
    called = select(SeatHolder.id, SeatHolder.name).where(SeatHolder.id.in_(seats))
    names = {row.id: row.name for row in ctx.session.execute(called)}
    others = [
        {"name": names[one["holder"]], **{key: one[key] for key in ("matches", "won", "theirs")}}
        for one in data["opponents"]
        if one["holder"] in names
    ]
    return {**data, "opponents": others}
