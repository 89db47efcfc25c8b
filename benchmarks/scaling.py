"""What one move costs, and what so many players cost therefore: `make bench-scaling`.

Whist is played by mail in one process, its replies quoting what they answer as mail programs do, with the disk waited
for as always. Counted are processor time of the service by what it does and of the database, what the database writes
to its log, and by how much its tables and indexes grow, settled by a vacuum. Prints that, and what follows for 1,000 to
1,000,000 players who move so often a day; asserts nothing.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, text

from benchmarks.options import Options
from benchmarks.senders import quoting
from benchmarks.sink import Sink, free_port
from benchmarks.stage import Stage
from emails.inbound.accept import accept
from emails.outbound.relay import deliver_shard
from emails.parsing.reader import parse_mail
from pbem.db.models import Match, OutboxMessage, Submission
from pbem.db.session import connect
from pbem.play.core.context import transaction
from pbem.play.inbox.judge import judge
from pbem.states import OutboxState, SubmissionStatus
from pbem.web import create_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.config import Config

PLAYERS = (1_000, 10_000, 100_000, 1_000_000)
PEAK = 4
"""The busiest hour has so many times the moves of a middling one."""
FULL = 0.6
"""A core that is busier than this has queues before it."""
DAY, YEAR = 86_400, 365
_GB = 1e9


class Measured:
    """Adds up the processor time of this thread, by what is done."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def time(self, what: str, work: Callable[..., Any], *given: object) -> None:
        """Do something, and note what it took."""
        began = time.thread_time()
        work(*given)
        self.seconds[what] += time.thread_time() - began


def play(engine: Engine, config: Config, sink: Sink, moves: int, measured: Measured) -> None:
    """Play so many moves from the mails that arrive."""
    for _ in range(moves):
        turn = sink.turns.get(timeout=60)
        measured.time("taking a mail", accept, engine, config, quoting(turn), turn.reply_to, turn.player)
        with transaction(engine, config) as ctx:
            waiting = ctx.session.scalars(
                select(Submission.match_id).where(Submission.status == SubmissionStatus.PENDING)
            ).all()
        for match in waiting:
            measured.time("judging", _judged, engine, config, match)
        send(engine, config, measured)


def _judged(engine: Engine, config: Config, match: str) -> None:
    with transaction(engine, config) as ctx:
        judge(ctx, match, parse_mail)


def send(engine: Engine, config: Config, measured: Measured) -> None:
    """Send all mails that are owed."""
    with transaction(engine, config) as ctx:
        due = (
            select(OutboxMessage.shard)
            .where(OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at <= ctx.now)
            .distinct()
        )
        shards = ctx.session.scalars(due).all()
    for shard in shards:
        measured.time("mailing", deliver_shard, engine, config, shard)


def sizes(engine: Engine) -> dict[str, int]:
    """Measure the tables with their indexes, after a vacuum."""
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("VACUUM ANALYZE"))
        rows = connection.execute(text("SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"))
        return {name: size for name, size in rows if not name.startswith(("pg_", "sql_"))}


def written(engine: Engine) -> int:
    """Return how far the database has written its log."""
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_current_wal_insert_lsn() - '0/0'")).scalar_one())


def counted(engine: Engine) -> dict[str, int]:
    """Count rows."""
    with engine.connect() as connection:
        return {
            name: int(connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one())  # noqa: S608 -- ours
            for name in ("log_entries", "submissions", "outbox_messages", "move_timings", "tokens")
            if connection.execute(text("SELECT to_regclass(:name)"), {"name": name}).scalar_one()
        }


def look(engine: Engine, config: Config, pages: int, measured: Measured) -> None:
    """Open the pages of matches, as somebody does who follows them."""
    browser = create_app(config, engine).test_client()
    with transaction(engine, config) as ctx:
        known = ctx.session.scalars(select(Match.id).order_by(Match.ply.desc()).limit(10)).all()
    paths = [f"/matches/{match}{end}" for match in known for end in ("", "/replay")]
    for path in paths:
        browser.get(path, base_url=config.base_url)
    for number in range(pages):
        measured.time("a page", partial(browser.get, base_url=config.base_url), paths[number % len(paths)])


def measure(matches: int, moves: int, pages: int) -> dict[str, float]:
    """Play, and give what a move costs: milliseconds, bytes and rows, each by what they are."""
    with tempfile.TemporaryDirectory() as name, Sink(free_port()) as sink, Stage(Path(name), sink.port) as stage:
        engine, measured = connect(stage.config.database_url), Measured()
        stage.begin_matches(matches)
        send(engine, stage.config, Measured())
        play(engine, stage.config, sink, moves // 10, Measured())
        before, rows, log, spent = sizes(engine), counted(engine), written(engine), stage.spent()
        play(engine, stage.config, sink, moves, measured)
        used, log, after = stage.spent().since(spent), written(engine) - log, counted(engine)
        grown = {table: size - before[table] for table, size in sizes(engine).items()}
        read = Measured()
        spent = stage.spent()
        look(engine, stage.config, pages, read)
        reading = stage.spent().since(spent)
        engine.dispose()
    found = {f"ms {what}": seconds * 1000 / moves for what, seconds in measured.seconds.items()}
    found["ms in the database"] = used.seconds["database"] * 1000 / moves
    found["page: ms in the web process"] = read.seconds["a page"] * 1000 / pages
    found["page: ms in the database"] = reading.seconds["database"] * 1000 / pages
    found["bytes of WAL"] = log / moves
    found |= {f"rows of {table}": (after[table] - rows[table]) / moves for table in rows}
    found |= {f"bytes of {table}": size / moves for table, size in grown.items() if size / moves >= 1}
    return found


def follows(cost: dict[str, float], players: int, a_day: float, pages: float) -> dict[str, float]:
    """Reckon what so many players come to, who open so many pages for each move."""
    moves = players * a_day
    peak = moves / DAY * PEAK
    service = sum(value for name, value in cost.items() if name.startswith("ms ") and "database" not in name)
    web, read = cost["page: ms in the web process"] * pages, cost["page: ms in the database"] * pages
    database = cost["ms in the database"]
    kept = sum(value for name, value in cost.items() if name.startswith("bytes of ") and "WAL" not in name)
    return {
        "players": players,
        "moves a day": moves,
        "moves a second, at the peak": peak,
        "mails a second, at the peak": peak * cost["rows of outbox_messages"],
        "cores of workers and doors": _cores(peak * service),
        "cores of the pages": _cores(peak * web),
        "cores of the database, for moves": _cores(peak * database),
        "cores of the database, for pages": _cores(peak * read),
        "commits a second": peak * (2 + cost["rows of outbox_messages"]),
        "WAL, MB a second": peak * cost["bytes of WAL"] / 1e6,
        "GB a year": moves * kept * YEAR / _GB,
        "of it the log": moves * cost.get("bytes of log_entries", 0.0) * YEAR / _GB,
        "rows of the log a year, millions": moves * cost["rows of log_entries"] * YEAR / 1e6,
        "core hours a month": moves * 30 * (service + web + database + read) / 3.6e6,
    }


def _cores(milliseconds: float) -> float:
    return math.ceil(milliseconds / 1000 / FULL * 10) / 10


def main() -> None:
    """Print the figures."""
    options = Options(__doc__)
    options.number("--matches", 200, 4)
    options.number("--moves", 2000, 10)
    options.number("--opened", 100, 4, "so many pages are opened to measure one")
    options.number("--a-day", 4.0, 4.0, "moves of a player in a day")
    options.number("--pages", 3.0, 3.0, "pages that are opened for each move")
    asked = options.told()
    cost = measure(asked.matches, asked.moves, asked.opened)
    print("one move costs")
    for name, value in cost.items():
        print(f"  {value:10,.2f}  {name}")
    print(f"\n{asked.a_day:g} moves of a player a day, {asked.pages:g} pages a move, {PEAK} times that at the peak")
    table = [follows(cost, players, asked.a_day, asked.pages) for players in PLAYERS]
    for name in table[0]:
        print(f"  {name:34}" + "".join(f"{column[name]:14,.1f}" for column in table))


if __name__ == "__main__":
    main()
