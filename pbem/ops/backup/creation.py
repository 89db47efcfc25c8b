"""`pbem backup DIR`: backs up a snapshot of the database as one file with a manifest, while the service runs."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import click
from sqlalchemy import Engine, func, select, text
from sqlalchemy.orm import Session

import pbem
from pbem.atomic_files import atomic_write, exclusive_lock
from pbem.db.models import LogEntry, Match
from pbem.db.session import connect, session_scope
from pbem.ops.backup import encryption, manifest
from pbem.ops.backup.manifest import Manifest
from pbem.ops.backup.programs import Programs, open_dump
from pbem.ops.backup.status import run_to_status
from pbem.ops.up.binaries import find_postgres_clients
from pbem.play.core.context import timestamp
from pbem.play.upkeep import after_restore
from pbem.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path


_TABLE_SIZES = text(
    "SELECT relname, pg_table_size(oid) FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = to_regnamespace(current_schema())"
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of the database: its name, and a summary of its content."""

    name: str
    taken_at: datetime
    schema: str
    postgres: int
    matches: dict[str, int]
    entries: int
    sizes: dict[str, int]


def back_up(folder: Path, url: str, keys: Sequence[str], recipients: Sequence[str], keep: int | None = None) -> int:
    """Write a backup into a folder, and remove all but the `keep` newest, if given; returns the exit status.

    `keys` are the names of the service's secret keys, `recipients` the age recipients to encrypt it for.
    """
    engine = connect(url)
    try:
        return run_to_status(lambda: _write_backup(folder, engine, keys, recipients, keep), folder)
    finally:
        engine.dispose()


def _write_backup(
    folder: Path, engine: Engine, keys: Sequence[str], recipients: Sequence[str], keep: int | None
) -> None:
    parsed = encryption.parse_recipients(recipients)
    url = engine.url.render_as_string(hide_password=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with exclusive_lock(folder):
        with _open_snapshot(engine) as moment:
            backup = _write_dump(folder, moment, Programs(find_postgres_clients(moment.postgres), url), parsed, keys)
        path = backup.write(folder)
        removed = [] if keep is None else _remove_old(folder, keep)
    with session_scope(engine) as session:
        after_restore.record_backup(session, moment.taken_at)
    click.echo(f"{path}: {backup.bytes / 1e6:,.1f} MB of {backup.taken_at}, {backup.summary}")
    for old in removed:
        click.echo(f"{old}: removed")


@contextmanager
def _open_snapshot(engine: Engine) -> Iterator[Snapshot]:
    """Open a snapshot of the database, for pg_dump to use the same."""
    with Session(engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)) as session:
        snapshot, taken_at, version = session.execute(
            text("SELECT pg_export_snapshot(), transaction_timestamp(), current_setting('server_version_num')::int")
        ).one()
        sizes = session.execute(_TABLE_SIZES)
        states = session.execute(select(Match.state, func.count()).group_by(Match.state))
        yield Snapshot(
            name=snapshot,
            taken_at=taken_at,
            schema=session.scalar(text("SELECT version_num FROM alembic_version")) or "",
            postgres=version // 10_000,
            matches=dict(sorted((row[0], row[1]) for row in states)),
            entries=session.scalar(select(func.count()).select_from(LogEntry)) or 0,
            sizes={row[0]: row[1] for row in sizes},
        )


def _write_dump(
    folder: Path, moment: Snapshot, programs: Programs, recipients: tuple[str, ...], keys: Sequence[str]
) -> Manifest:
    """Write the file of a backup; returns its manifest, which is not written yet."""
    # To the millisecond, so that no backup overwrites another.
    at = "".join(letter for letter in timestamp(moment.taken_at) if letter.isalnum())
    name = f"pbem-{at}.dump" + (".age" if recipients else "")
    with progress_bar(sum(moment.sizes.values()), "Backing up", count=False) as advance:
        progress = _TableProgress(moment.sizes, advance)
        with atomic_write(folder / name, 0o600) as file, open_dump(programs, moment.name, progress.begin) as content:
            out = _HashingWriter(file)
            if recipients:
                encryption.encrypt(content, out, recipients)  # type: ignore[arg-type]
            else:
                shutil.copyfileobj(content, out)
        progress.begin("")
    return Manifest(
        taken_at=timestamp(moment.taken_at),
        file=name,
        bytes=out.size,
        sha256=out.digest.hexdigest(),
        sealed_for=recipients,
        pbem=pbem.__version__,
        schema=moment.schema,
        postgres=moment.postgres,
        keys=tuple(keys),
        matches=moment.matches,
        entries=moment.entries,
    )


class _HashingWriter:
    """Writes into a file, and computes size and SHA-256."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.size, self.digest = file, 0, hashlib.sha256()

    def write(self, content: bytes) -> int:
        """Write some bytes."""
        self._file.write(content)
        self.digest.update(content)
        self.size += len(content)
        return len(content)

    def flush(self) -> None:
        """Flush the file."""
        self._file.flush()


class _TableProgress:
    """Reports the progress of a backup, table by table."""

    def __init__(self, sizes: dict[str, int], advance: Callable[[int], None]) -> None:
        self._sizes, self._advance, self._table = sizes, advance, ""

    def begin(self, table: str) -> None:
        """Start a table: the previous one is done."""
        self._advance(self._sizes.get(self._table, 0))
        self._table = table.rpartition(".")[2]


def _remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all backups but the newest few; each manifest goes first, so that none is left without its file."""
    removed = []
    for path, old in manifest.find_all(folder)[keep:]:
        path.unlink()
        (folder / old.file).unlink(missing_ok=True)
        removed.append(path)
    return removed
