"""What the statistics cost: `make bench-tallies`.

Fills a database with 100,000, then with 1,000,000 moves of matches that have ended, and prints how long it takes to
look for what has ended, at first and once all is known, and to reckon the figures of a game and of a player; asserts
nothing.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.crowd import PLIES, fill
from benchmarks.options import Options
from benchmarks.rows import database
from benchmarks.tick import config
from pbem.db.session import connect
from pbem.play.archive import game_statistics, player_statistics
from pbem.play.archive import statistics as archive_statistics
from pbem.play.core.context import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.play.core.context import Context

MOVES = (100_000, 1_000_000)
TURNS = 5
FINISH = """
    UPDATE matches SET result = jsonb_build_object('ending', 'finished', 'winners', jsonb_build_array(1),
        'scores', (SELECT jsonb_object_agg(seat, abs(hashtext(id || seat)) % 60) FROM match_seats WHERE match_id = id))
    WHERE state = 'over'
"""
THINK = """
    INSERT INTO move_timings (match_id, seat, ply, holder_id, asked_at, moved_at)
    SELECT entry.match_id, entry.seat, ply, holder.id, logged_at - random() * interval '2 days', logged_at
    FROM log_entries AS entry JOIN seat_holders AS holder
        ON holder.match_id = entry.match_id AND holder.seat = entry.seat WHERE ply IS NOT NULL
"""


def main() -> None:
    """Measure with few moves stored and with many."""
    options = Options(__doc__)
    options.numbers("--moves", MOVES, (12_000,), "so many moves are stored")
    for moves in options.told().moves:
        with database() as cluster:
            engine = connect(cluster.url)
            fill(engine, matches=moves // PLIES, running=moves // PLIES // 100)
            with engine.begin() as connection:
                connection.execute(text(FINISH))
                connection.execute(text(THINK))
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM ANALYZE"))
            measure(engine, cluster.url, moves)
            engine.dispose()


def measure(engine: Engine, url: str, moves: int) -> None:
    """Print what each part costs with so many moves stored."""
    first = taken(engine, url, archive_statistics.mark_stale, 1)
    again = taken(engine, url, archive_statistics.mark_stale)
    game = taken(engine, url, lambda table: game_statistics.compute(table, "montauk"))
    player = taken(engine, url, lambda table: player_statistics.compute(table, 2))
    print(f"{moves:,} moves stored: everything is found to be stale in {first:.0f} ms, nothing new in {again:.1f} ms,")
    print(f"    a game is reckoned in {game:.0f} ms, a player in {player:.1f} ms")


def taken(engine: Engine, url: str, doing: Callable[[Context], object], turns: int = TURNS) -> float:
    """Do something some times over; give the median of the milliseconds it took."""
    seconds = []
    for _turn in range(turns):
        begun = time.perf_counter()
        with transaction(engine, config(url)) as ctx:
            doing(ctx)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds) * 1000


if __name__ == "__main__":
    main()
