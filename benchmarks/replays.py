"""What replays cost: the data of one, and opening one with few and with many moves stored: `make bench-replays`."""

from __future__ import annotations

import logging
import statistics
import time
from typing import TYPE_CHECKING

import psycopg
from sqlalchemy import func, select

from benchmarks import long_matches
from benchmarks.crowd import PLIES, WAITING, fill
from benchmarks.options import Options
from benchmarks.rows import SELECT, database
from benchmarks.tick import config
from pbem.db.models import Match
from pbem.db.session import connect, set_task_sender
from pbem.games import GAMES
from pbem.play.core.context import transaction
from pbem.play.matches.match_state import load_log, load_match
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.config import Config

REPLAYED, EACH = 300, 12
"""So many replays, of so many matches of each game."""
PLIES_OF_DATA = 200
"""So many moves has the match whose data is read."""
DATA_GOAL = 2
"""What the data may cost beside the SELECT."""


def main() -> None:
    """Print the figures of matches in a small database."""
    options = Options(__doc__)
    options.number("--times", 400, 10, "how often a figure is taken")
    options.number("--longest", 300, 20, "the most moves of the match whose data is read")
    wanted = options.told()
    # No broker runs here: what it would count is counted in the database.
    logging.getLogger("pbem.play.core.rate_limits").setLevel(logging.CRITICAL)
    set_task_sender(lambda _task, _arguments: None)
    with database() as cluster:
        engine, settings = connect(cluster.url), config(cluster.url)
        with transaction(engine, settings) as ctx:
            played = [long_matches.play(ctx, key, wanted.longest) for key in GAMES]
            longest = max(played, key=lambda match: match.log_length).id
        data(engine, settings, cluster.url, longest, wanted.times)
        engine.dispose()


def data(engine: Engine, settings: Config, url: str, match: str, turns: int) -> None:
    """Read the data of a replay, ready to be walked or written, and its rows plainly, in turns."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as plain, transaction(engine, settings) as ctx:
        plain.execute("DELETE FROM log_entries WHERE match_id = %s AND number > %s", (match, PLIES_OF_DATA))
        rows = len(load_log(ctx, match))
        ways: list[Callable[[], object]] = [
            lambda: plain.execute(SELECT, (match,)).fetchall(),
            lambda: load_log(ctx, match),
        ]
        taken: list[list[float]] = [[], []]
        for _ in range(turns):
            for way, times in zip(ways, taken, strict=True):
                begun = time.perf_counter()
                way()
                times.append(time.perf_counter() - begun)
    select_, ours = (statistics.median(times) * 1000 for times in taken)
    over = " TOO SLOW" if ours > DATA_GOAL * select_ else ""
    print(f"data of {rows} entries: {ours:.2f} ms, plain SELECT {select_:.2f} ms, ratio {ours / select_:.2f}{over}")


def flatness(few: int, many: int, replays: int) -> None:
    """Replay matches among few moves and among many, in turns; print what each costs, and the ratio."""
    set_task_sender(lambda _task, _arguments: None)
    with database() as small, database() as large:
        engines = [connect(small.url), connect(large.url)]
        for engine, moves in zip(engines, (few, many), strict=True):
            begun = moves // PLIES
            fill(engine, matches=WAITING + begun, running=begun // 10)
        settings = config(small.url)
        chosen = [_matches(engine, settings) for engine in engines]
        taken: list[list[float]] = [[], []]
        for turn in range(replays):
            for engine, matches, seconds in zip(engines, chosen, taken, strict=True):
                seconds.append(_replay(engine, settings, matches[turn % len(matches)]))
        for engine in engines:
            engine.dispose()
    medians = [statistics.median(seconds) * 1000 for seconds in taken]
    for moves, median in zip((few, many), medians, strict=True):
        print(f"a match opened and replayed among {moves:>11,} moves: {median:.2f} ms")
    # The same positions of the same games are replayed in both, pair by pair.
    ratio = statistics.median(b / a for a, b in zip(*taken, strict=True))
    print(f"ratio, {many:,} to {few:,} moves: {ratio:.2f}")


def _matches(engine: Engine, settings: Config) -> list[str]:
    """Choose finished matches from all over the table, as many of each game, one game after the other."""
    place = func.row_number().over(partition_by=Match.game, order_by=func.md5(Match.id))
    ranked = select(Match.id, Match.game, place.label("place")).where(Match.state == MatchState.OVER).subquery()
    wanted = select(ranked.c.id).where(ranked.c.place <= EACH).order_by(ranked.c.place, ranked.c.game)
    with transaction(engine, settings) as ctx:
        return [*ctx.session.scalars(wanted)]


def _replay(engine: Engine, settings: Config, match: str) -> float:
    with transaction(engine, settings) as ctx:
        begun = time.perf_counter()
        load_match(ctx, ctx.session.get_one(Match, match))
        return time.perf_counter() - begun


if __name__ == "__main__":
    main()
