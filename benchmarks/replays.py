"""What a whole replay costs with few and with many moves stored."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from benchmarks.crowd import PLIES, WAITING, fill
from benchmarks.rows import database
from benchmarks.tick import config
from pbem.db.models import Match
from pbem.db.session import bind_sender, connect
from pbem.play.history import course_of
from pbem.play.table import open_table

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from pbem.config import Config

REPLAYED, EACH = 300, 12
"""So many replays, of so many matches of each game."""


def flatness(few: int, many: int) -> None:
    """Replay matches among few moves and among many, in turns; print what each costs, and the ratio."""
    bind_sender(lambda _task, _arguments: None)
    with database() as small, database() as large:
        engines = [connect(small.url), connect(large.url)]
        for engine, moves in zip(engines, (few, many), strict=True):
            begun = moves // PLIES
            fill(engine, matches=WAITING + begun, running=begun // 10)
        settings = config(small.url)
        chosen = [_matches(engine, settings) for engine in engines]
        taken: list[list[float]] = [[], []]
        for turn in range(REPLAYED):
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
    ranked = select(Match.id, Match.game, place.label("place")).where(Match.state == "over").subquery()
    wanted = select(ranked.c.id).where(ranked.c.place <= EACH).order_by(ranked.c.place, ranked.c.game)
    with open_table(engine, settings) as table:
        return [*table.session.scalars(wanted)]


def _replay(engine: Engine, settings: Config, match: str) -> float:
    with open_table(engine, settings) as table:
        begun = time.perf_counter()
        course_of(table, table.session.get_one(Match, match))
        return time.perf_counter() - begun
