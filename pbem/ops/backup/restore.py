"""`pbem restore FILE`: restores a backup into an empty database, and closes everything that could happen twice."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import text

from pbem.db.session import connect
from pbem.db.upgrade import alembic_config
from pbem.ops.backup import BackupError, encryption, manifest
from pbem.ops.backup.programs import Programs, restore_dump
from pbem.ops.backup.status import run_to_status
from pbem.ops.up.binaries import find_postgres_clients
from pbem.play.core.context import system_time, timestamp, transaction
from pbem.play.upkeep import after_restore
from pbem.progress import progress_bar
from pbem.time_format import format_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from pbem.config import Config
    from pbem.ops.backup.manifest import Manifest

_NEXT_STEP = "Start the service: it mails the players of all running matches what was lost and where they stand."
_CHUNK_BYTES = 1 << 20
_COUNT_TABLES = text(
    "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(current_schema())"
)


def restore(file: Path, url: str, keys: Collection[str], opens: Path | None = None, *, any_keys: bool = False) -> int:
    """Restore a backup into the empty database of a URL; returns the command's exit status.

    `keys` are the names of the present secret keys, `opens` is the file with the key of an encrypted backup; `any_keys`
    restores it even if none of the secret keys that it was made with is present.
    """

    def work() -> None:
        backup, dump = manifest.load(file)
        _check_restorable(backup, keys, opens, any_keys=any_keys)
        programs = Programs(find_postgres_clients(_check_server(backup, url)), url)
        _restore_file(backup, dump, programs, opens if backup.sealed_for else None)
        click.echo(f"The database is as it was at {backup.taken_at}: {backup.summary}.")
        click.echo(_NEXT_STEP)

    return run_to_status(work, file)


def _check_server(backup: Manifest, url: str) -> int:
    """Return the version of an empty database's server; raises BackupError if the backup does not fit it."""
    engine = connect(url)
    try:
        with engine.connect() as connection:
            server = int(connection.scalar(text("SELECT current_setting('server_version_num')")) or 0) // 10_000
            tables = connection.scalar(_COUNT_TABLES)
    finally:
        engine.dispose()
    if tables:
        raise BackupError("This database has tables: a backup is restored only into an empty one.")
    if server < backup.postgres:
        raise BackupError(f"This server is PostgreSQL {server}; the backup needs {backup.postgres} or newer.")
    return server


def _restore_file(backup: Manifest, dump: Path, programs: Programs, opens: Path | None) -> None:
    with progress_bar(backup.bytes, "Restoring", count=False) as advance, dump.open("rb") as content:
        reader = _ProgressReader(content, advance)

        def write(out: IO[bytes]) -> None:
            if opens:
                encryption.decrypt(reader, out, opens)  # type: ignore[arg-type]
            else:
                shutil.copyfileobj(reader, out, _CHUNK_BYTES)

        restore_dump(programs, write, lambda: after_restore.invalidation_script(backup.moment, system_time()))


def mark_restored(config: Config, until: datetime | None, sure: Callable[[str], bool]) -> int:
    """Record that the database was brought to an older state by other means; returns the command's exit status.

    `until` is the moment of that state, by default the service's last heartbeat in it; `sure` is asked for confirmation
    before anything is done.
    """
    engine = connect(config.database_url)

    def work() -> None:
        with transaction(engine, config) as ctx:
            moment = until or after_restore.last_heartbeat_at(ctx)
            if moment is None or moment > ctx.now:
                raise BackupError("Give the time of this database's state with --until: it must be in the past.")
            ago = format_duration(ctx.now - moment)
            if not sure(f"Declare that the database is as it was at {timestamp(moment)}, {ago} ago?"):
                raise BackupError("Nothing was done.")
            after_restore.invalidate(ctx, moment)
        click.echo(f"Recorded: what happened after {timestamp(moment)} is lost.")
        click.echo(_NEXT_STEP)

    try:
        return run_to_status(work, Path())
    finally:
        engine.dispose()


def _check_restorable(backup: Manifest, keys: Collection[str], opens: Path | None, *, any_keys: bool) -> None:
    """Raise BackupError for a backup that this installation cannot restore."""
    if backup.sealed_for and opens is None:
        raise BackupError(
            f"This backup is encrypted for {', '.join(backup.sealed_for)}: give the file with the key as --key."
        )
    if opens is not None:
        encryption.load_identities(opens)
    try:
        ScriptDirectory.from_config(alembic_config("")).get_revision(backup.schema)
    except CommandError:
        raise BackupError(
            f"This backup was made by a newer pbem ({backup.pbem}): install that version first."
        ) from None
    if not (any_keys or set(backup.keys) & set(keys)):
        raise BackupError(
            "None of the service's secret keys of then is set: invitations would stop working, and everybody would be "
            "signed out. Set PBEM_SECRET_KEYS as it was, or put the old data folder's file secret-keys into the new "
            "one. If the keys are lost, use --new-keys."
        )


class _ProgressReader:
    """Reads a file, and reports progress."""

    def __init__(self, file: IO[bytes], advance: Callable[[int], None]) -> None:
        self._file, self._advance = file, advance

    def read(self, size: int = _CHUNK_BYTES) -> bytes:
        """Read up to `size` bytes."""
        content = self._file.read(size)
        self._advance(len(content))
        return content
