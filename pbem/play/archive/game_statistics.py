"""Statistics of a game's newest public matches: endings, lengths, wins by seat, points and thinking times."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.play.core.context import Context

MAX_MATCHES = 2000
"""Maximum matches that the statistics of a game cover, which bounds the time of the query."""
MAX_BINS = 12
"""Maximum bins of a points histogram."""
SECONDS_PER_MINUTE, SECONDS_PER_HOUR, SECONDS_PER_DAY = 60, 3600, 86400
THINKING_TIME_BOUNDS = (
    SECONDS_PER_MINUTE,
    10 * SECONDS_PER_MINUTE,
    SECONDS_PER_HOUR,
    6 * SECONDS_PER_HOUR,
    SECONDS_PER_DAY,
    3 * SECONDS_PER_DAY,
)
"""Upper bounds in seconds of the thinking time buckets; one more bucket counts longer moves."""

EMPTY: Mapping[str, Any] = {
    "matches": 0,
    "at_most": MAX_MATCHES,
    "endings": {},
    "sizes": [],
    "thinking": {"moves": 0, "seconds": None, "within": [0] * (len(THINKING_TIME_BOUNDS) + 1)},
}
"""Statistics of a game without a finished match."""

# Imported matches and practice forks say nothing about the game; automatic moves and those of robots say nothing
# about how long people think.
_QUERY = text("""
    WITH chosen AS MATERIALIZED (
        SELECT id, result, result ->> 'ending' AS ending, next_ply - 1 AS moves, ended_at - started_at AS lasted,
            (SELECT count(*) FROM match_seats WHERE match_id = matches.id) AS size
        FROM matches
        WHERE game = :game AND state = 'over' AND public AND seed IS NOT NULL
            AND imported_at IS NULL AND forked_from_id IS NULL AND withheld IS DISTINCT FROM 'table'
        ORDER BY ended_at DESC, id
        LIMIT :newest
    ),
    played AS MATERIALIZED (SELECT * FROM chosen WHERE ending = 'finished'),
    endings AS (SELECT ending, count(*) AS times FROM chosen GROUP BY ending),
    lengths AS (
        SELECT size, count(*) AS matches,
            percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY moves) AS moves,
            percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY extract(epoch FROM lasted)::float) AS seconds
        FROM played GROUP BY size
    ),
    places AS (
        SELECT size, seat, (result #>> ARRAY['scores', seat::text])::int AS points,
            result -> 'winners' @> to_jsonb(seat) AS won, jsonb_array_length(result -> 'winners') AS winners
        FROM played, generate_series(1, size) AS seat
    ),
    seats_won AS (
        SELECT size, seat, count(*) FILTER (WHERE won AND winners = 1) AS alone,
            count(*) FILTER (WHERE won AND winners > 1) AS shared
        FROM places WHERE size > 1 GROUP BY size, seat
    ),
    points AS (
        SELECT size, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY points) AS quarters
        FROM places GROUP BY size
    ),
    scores AS (SELECT size, points, count(*) AS times FROM places GROUP BY size, points),
    thought AS (
        SELECT extract(epoch FROM moved_at - asked_at)::float AS seconds
        FROM chosen JOIN move_timings ON move_timings.match_id = chosen.id
            JOIN seat_holders ON seat_holders.id = move_timings.holder_id
            JOIN players ON players.id = seat_holders.player_id
        WHERE automatic_reason IS NULL AND NOT players.is_robot
    ),
    spans AS (
        SELECT width_bucket(seconds, CAST(:within AS float[])) AS within, count(*) AS times FROM thought GROUP BY 1
    )
    SELECT
        (SELECT coalesce(jsonb_object_agg(ending, times), '{}') FROM endings) AS endings,
        (SELECT coalesce(jsonb_agg(to_jsonb(lengths) || jsonb_build_object(
            'points', (SELECT to_jsonb(quarters) FROM points WHERE points.size = lengths.size),
            'won', (SELECT coalesce(jsonb_agg(to_jsonb(seats_won) - 'size' ORDER BY seat), '[]')
                FROM seats_won WHERE seats_won.size = lengths.size),
            'scores', (SELECT jsonb_agg(jsonb_build_array(scores.points, times))
                FROM scores WHERE scores.size = lengths.size)
        ) ORDER BY size), '[]') FROM lengths) AS sizes,
        (SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY seconds) FROM thought) AS seconds,
        (SELECT coalesce(jsonb_object_agg(within, times), '{}') FROM spans) AS spans
""")


def compute(ctx: Context, game: str) -> dict[str, Any]:
    """Compute the statistics of a game."""
    found = ctx.session.execute(
        _QUERY, {"game": game, "newest": MAX_MATCHES, "within": list(THINKING_TIME_BOUNDS)}
    ).one()
    within = [found.spans.get(str(number), 0) for number in range(len(THINKING_TIME_BOUNDS) + 1)]
    return {
        "matches": sum(found.endings.values()),
        "at_most": MAX_MATCHES,
        "endings": found.endings,
        "sizes": [_for_seat_count(one) for one in found.sizes],
        "thinking": {"moves": sum(within), "seconds": round_quartiles(found.seconds), "within": within},
    }


def round_quartiles(values: Sequence[float] | None) -> list[int] | None:
    """Round quartiles to whole numbers; return None if nothing was counted."""
    return [round(value) for value in values] if values else None


def bin_width(least: int, most: int) -> int:
    """Return the smallest round bin width with which few enough bins cover the range from `least` to `most`."""
    return next(width for width in round_numbers() if most // width - least // width < MAX_BINS)


def round_numbers() -> Iterator[int]:
    """Yield the round numbers 1, 2, 5, 10, 20 and so on."""
    for unit in (10**power for power in count()):
        yield from (int(unit), int(2 * unit), int(5 * unit))


def _for_seat_count(one: dict[str, Any]) -> dict[str, Any]:
    """Return the statistics of the matches with one number of seats that were played to their end."""
    return {
        "seats": one["size"],
        "matches": one["matches"],
        "moves": round_quartiles(one["moves"]),
        "seconds": round_quartiles(one["seconds"]),
        "points": round_quartiles(one["points"]),
        "spread": _histogram(one["scores"]),
        "won": one["won"],
    }


def _histogram(counted: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Build a histogram of points: the bin width, where the first bin begins, and the count of each bin."""
    least, most = min(points for points, _times in counted), max(points for points, _times in counted)
    step = bin_width(least, most)
    times: Counter[int] = Counter()
    for points, often in counted:
        times[points // step] += often
    first, last = least // step, most // step
    return {"step": step, "first": first * step, "times": [times[number] for number in range(first, last + 1)]}
