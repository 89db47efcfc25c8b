"""Whole matches in a database of their own: replaying one from seed and log, beside selecting the rows of its log."""

from __future__ import annotations

import logging
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from benchmarks.clusters import cluster_in
from pbem.config import from_environment
from pbem.db.session import connect, set_task_sender
from pbem.db.upgrade import upgrade
from pbem.games import GAMES, Chance
from pbem.games.record import replay
from pbem.ops.up.process import running
from pbem.play.core.context import transaction
from pbem.play.lifecycle import acceptance, create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.measuring import Measure
    from pbem.games import Game, Move, Seat
    from pbem.games.chain import Entry
    from pbem.ops.up.postgres import Cluster

    Player = Callable[[Game[Any], Any, Seat], Move]

SELECT = (
    "SELECT number, ply, seat, move, event, by, detail, logged_at, salt"
    " FROM log_entries WHERE match_id = %s ORDER BY number"
)


@contextmanager
def database() -> Iterator[Cluster]:
    """Run a database with the service's tables for as long as a `with` block lasts."""
    with tempfile.TemporaryDirectory() as name:
        cluster = cluster_in(Path(name) / "postgres", fsync=False)
        with running(cluster.part(Path(name) / "postgres.log")):
            upgrade(cluster.url)
            yield cluster


@contextmanager
def whole_match(cluster: Cluster, key: str, player: Player) -> Iterator[tuple[int, Measure, Measure]]:
    """Play a match at the table; give its plies, its replay, and the plain SELECT of its rows."""
    match, seed, log = _played(cluster, key, player)
    game, chance = GAMES[key], Chance(seed)

    def replays() -> int:
        for _ in replay(game, game.setup(game.seats[-1], {}, chance), log, chance):
            pass
        return 1

    with psycopg.connect(cluster.url.replace("+psycopg", ""), autocommit=True) as connection:

        def selects() -> int:
            connection.execute(SELECT, (match,)).fetchall()
            return 1

        yield len(log), replays, selects


def _played(cluster: Cluster, key: str, player: Player) -> tuple[str, bytes, tuple[Entry, ...]]:
    # No broker runs here: what it would count is counted in the database.
    logging.getLogger("pbem.play.core.rate_limits").setLevel(logging.CRITICAL)
    set_task_sender(lambda _task, _arguments: None)
    engine = connect(cluster.url)
    config = from_environment(
        {
            "DATABASE_URL": cluster.url,
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "PBEM_SECRET_KEYS": "k" * 40,
            "PBEM_BASE_URL": "http://127.0.0.1:8000",
            "PBEM_MAIL_DOMAIN": "games.localhost",
            "PBEM_SMTP_URL": "smtp://127.0.0.1:1",
        }
    )
    with transaction(engine, config) as ctx:
        guests = [Invitee(f"Guest {n}", f"guest.{n}@example.org") for n in range(GAMES[key].seats[-1])]
        match = create.create_match(ctx, MatchRequest(key, {}, guests))
        for holder in holders(ctx, match):
            acceptance.accept(ctx, match, holder, "")
        match = lock_match(ctx, match.id)
        course = load_match(ctx, match)
        while acting := course.game.to_move(course.position):
            move = player(course.game, course.position, acting[0])
            course = play_move(ctx, course, acting[0], move, ctx.now)
        played = match.id, match.seed or b"", course.log
    engine.dispose()
    return played
