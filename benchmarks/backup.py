"""What a backup and a return from it cost, beside pg_dump and pg_restore alone: `make bench-backup`.

Fills a database with 10,000 people and 100,000 matches, a tenth of which run, takes a backup of it, in clear and
sealed, brings it back into an empty database, and has tables told that moves are lost. Prints seconds and sizes;
asserts nothing but that all of it came to its end.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text

from benchmarks.crowd import MATCHES, fill
from benchmarks.options import Options
from benchmarks.rows import database
from benchmarks.stage import DOMAIN
from pbem.config import from_environment
from pbem.db.models import OutboxMessage, Restore
from pbem.db.session import connect
from pbem.ops.backup import encryption
from pbem.ops.backup.creation import back_up
from pbem.ops.backup.programs import Programs
from pbem.ops.backup.restore import restore
from pbem.ops.up.binaries import find_postgres_clients
from pbem.play.core.context import transaction
from pbem.play.core.tokens import key_id
from pbem.play.upkeep import after_restore

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

    from pbem.ops.up.postgres import Cluster

KEY = "k" * 40
MEGABYTE = 1_000_000
TOLD = 50
"""So many transactions tell tables here: what one costs does not depend on how many there are."""


def main() -> None:
    """Measure once."""
    options = Options(__doc__)
    options.number("--matches", MATCHES, 1_000)
    wanted = options.told()
    with database() as cluster, tempfile.TemporaryDirectory() as folder:
        engine = connect(cluster.url)
        fill(engine, matches=wanted.matches, running=wanted.matches // 10)
        with engine.connect() as connection:
            size = connection.scalar(text("SELECT pg_database_size(current_database())")) or 0
        print(f"{wanted.matches:,} matches, {wanted.matches // 10:,} of which run: {size / MEGABYTE:,.0f} MB")
        measure(engine, cluster, Path(folder))
        engine.dispose()


def measure(engine: Engine, cluster: Cluster, folder: Path) -> None:
    """Measure each step, with PostgreSQL's programs alone beside it."""
    programs = Programs(find_postgres_clients(cluster.version), cluster.url)
    bare = folder / "bare"
    said("pg_dump alone", partial(run, programs, "pg_dump", "--format=custom", f"--file={bare}"), bare)
    names = [key_id(KEY)]
    for name, recipients in (("clear", []), ("sealed", [encryption.write_new_key(folder / "key")])):
        there = folder / name
        said(f"pbem backup, {name}", partial(back_up, there, cluster.url, names, recipients), there)
    for name in ("alone", "clear", "sealed"):
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(f"CREATE DATABASE back_{name}"))
        url = cluster.database_url(f"back_{name}")
        if name == "alone":
            target = Programs(programs.folder, url)
            said("pg_restore alone", partial(run, target, "pg_restore", "--single-transaction", str(bare)))
            continue
        (made,) = (folder / name).glob("*.json")
        key = folder / "key" if name == "sealed" else None
        said(f"pbem restore, {name}", partial(restore, made, url, names, key))
    tell(cluster.database_url("back_clear"))


def said(what: str, work: Callable[[], object], made: Path | None = None) -> None:
    """Do something, and print how long it took and how large what it made is."""
    begun = time.perf_counter()
    if work():
        raise SystemExit(f"{what} came to nothing")
    taken = time.perf_counter() - begun
    files = [made, *made.rglob("*")] if made else []
    size = sum(file.stat().st_size for file in files if file.is_file())
    print(f"{what:<24}{taken:>8.1f} s" + (f"{size / MEGABYTE:>10,.1f} MB" if size else ""))


def run(programs: Programs, program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's own programs."""
    subprocess.run(programs.command(program, *arguments), env=programs.environment, check=True)


def tell(url: str) -> None:
    """Notify some tables, as the worker does."""
    settings = {
        "DATABASE_URL": url, "REDIS_URL": "redis://127.0.0.1:1/0", "PBEM_SECRET_KEYS": KEY,
        "PBEM_BASE_URL": "http://127.0.0.1:8000", "PBEM_MAIL_DOMAIN": DOMAIN, "PBEM_SMTP_URL": "smtp://127.0.0.1:1",
    }  # fmt: skip
    config = from_environment(settings)
    engine = connect(config.database_url)
    begun = time.perf_counter()
    for _ in range(TOLD):
        with transaction(engine, config) as ctx:
            after_restore.notify_batch(ctx)
    taken = time.perf_counter() - begun
    with transaction(engine, config) as ctx:
        told = ctx.session.scalar(select(func.max(Restore.notified_count))) or 0
        mails = ctx.session.scalar(select(func.count()).where(OutboxMessage.kind == after_restore.KIND))
    engine.dispose()
    print(f"{told:,} tables told with {mails:,} mails: {told / taken:,.0f} tables/s")


if __name__ == "__main__":
    main()
