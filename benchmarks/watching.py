"""What being watched costs: a line in the log, a count, and an answer of /metrics with few matches kept and with many.

    make bench-watching

Prints medians; asserts nothing.
"""

from __future__ import annotations

import io
import logging
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.crowd import fill
from benchmarks.options import Options
from benchmarks.rows import database
from benchmarks.tick import config
from pbem.db.session import connect
from pbem.telemetry import logs, metrics
from pbem.telemetry.redaction import Redactor
from pbem.web import create_app

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (10_000, 100_000)


def main() -> None:
    """Measure lines, counts and answers."""
    options = Options(__doc__)
    options.numbers("--sizes", SIZES, (1_000,), "so many matches are kept")
    options.number("--times", 20_000, 200, "how often something is written or counted")
    options.number("--scrapes", 15, 2, "how often figures are asked for")
    wanted = options.told()
    for name, form in (("plain", logs.PlainFormatter(Redactor())), ("json", logs.JsonFormatter(Redactor(), "mail"))):
        print(f"a {name} line: {each(partial(line, form), wanted.times) * 1e6:.0f} us")
    print(f"a count: {each(partial(metrics.count, metrics.ACCEPTED, 'mail'), wanted.times) * 1e6:.1f} us")
    for size in wanted.sizes:
        print(f"/metrics with {size:,} matches: {scrape(size, wanted.scrapes) * 1e3:.0f} ms")


def line(form: logging.Formatter) -> None:
    """Write a line as one is written for each mail that is kept."""
    record = logging.LogRecord(
        "pbem.play.submissions.queue", logging.INFO, "", 0, "stored a submission by %s", ("mail",), None
    )
    with logs.bound_fields(request="0b6aa0077210", submission="x41vbs02ffzw", match="6y0wap6st1a2653f3bh3"):
        io.StringIO().write(form.format(record))


def each(do: Callable[[], object], times: int) -> float:
    """Return the seconds that something takes, done many times."""
    begun = time.perf_counter()
    for _ in range(times):
        do()
    return (time.perf_counter() - begun) / times


def scrape(size: int, times: int) -> float:
    """Return the median of the seconds in which /metrics is answered with so many matches, a tenth of which run."""
    with database() as cluster:
        engine = connect(cluster.url)
        fill(engine, matches=size, running=size // 10)
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text("VACUUM ANALYZE"))
        client = create_app(config(cluster.url), engine).test_client()
        taken = statistics.median(each(partial(client.get, "/metrics"), 1) for _ in range(times))
        engine.dispose()
    return taken


if __name__ == "__main__":
    main()
