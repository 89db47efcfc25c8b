"""`pbem export-records DIR`: the records of all public matches as compressed JSON lines, with a manifest of hashes."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from pbem.atomic_files import atomic_write, exclusive_lock
from pbem.db.replica import Replica, open_replica
from pbem.db.session import connect
from pbem.games.record import FORMAT
from pbem.play.archive import records
from pbem.play.core.context import timestamp, transaction
from pbem.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import Engine

    from pbem.config import Config
    from pbem.games.record import Record
    from pbem.play.archive.records import Place

    Found = tuple[Place, Record]

DONE, REFUSED = 0, 2
MANIFEST_NAME = "manifest.json"
RECORDS_PER_FILE = 10_000
BATCH_SIZE = 200
"""Maximum records in memory at once; no query lasts longer than one batch."""


def export(folder: Path, config: Config, per_file: int = RECORDS_PER_FILE, batch: int = BATCH_SIZE) -> int:
    """Write all records into a folder; returns the command's exit status.

    A reader of the manifest always finds the files that it names: new files are written first, then the manifest is
    replaced, then files that it does not name are removed. The same records give the same bytes again.
    """
    engine = connect(config.database_url)
    replica = open_replica(config, engine, pool_size=1)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with transaction(engine, config) as ctx:
            total = records.count(ctx)
        with exclusive_lock(folder), progress_bar(total) as advance:
            found = _all_records(replica or engine, config, batch, advance)
            files = [
                _write_file(folder, number, part) for number, part in enumerate(_split_by_file(found, per_file), 1)
            ]
            manifest = _manifest(config, files)
            with atomic_write(folder / MANIFEST_NAME) as out:
                out.write((json.dumps(manifest, indent=2) + "\n").encode())
            _remove_stale(folder, {file["name"] for file in files})
    except BlockingIOError:
        click.echo(f"{folder}: another export is running.", err=True)
        return REFUSED
    except OSError as wrong:
        click.echo(f"{wrong.filename or folder}: {wrong.strerror}.", err=True)
        return REFUSED
    finally:
        engine.dispose()
        if replica:
            replica.close()
    click.echo(f"{manifest['records']:,} records in {len(files):,} files, listed in {folder / MANIFEST_NAME}")
    return DONE


def _all_records(
    source: Engine | Replica, config: Config, size: int, advance: Callable[[int], None]
) -> Iterator[Found]:
    """Yield all records, read in batches."""
    after: Place | None = None

    def next_batch(engine: Engine) -> Sequence[Found]:
        with transaction(engine, config) as ctx:
            return records.next_batch(ctx, after, size)

    while found := source.read(next_batch) if isinstance(source, Replica) else next_batch(source):
        yield from found
        advance(len(found))
        after = found[-1][0]


def _split_by_file(found: Iterator[Found], per_file: int) -> Iterator[Iterable[Found]]:
    """Split records into one iterable per file; each must be consumed before the next."""
    for first in found:
        yield chain([first], islice(found, per_file - 1))


def _write_file(folder: Path, number: int, part: Iterable[Found]) -> dict[str, Any]:
    """Write one file; returns its entry in the manifest."""
    games: dict[str, int] = {}
    ended: list[str] = []
    making = folder / f".records-{number:06}.part"
    with making.open("wb") as file:
        # No time and no name in the header: the same records must give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as lines:
            for place, record in part:
                lines.write(json.dumps(record.data(), ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
                games[record.game] = games.get(record.game, 0) + 1
                ended = [*ended[:1], timestamp(place[0])]
        file.flush()
        os.fsync(file.fileno())
    with making.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = making.stat().st_size
    made = making.rename(folder / f"records-{number:06}-{digest[:16]}.jsonl.gz")
    return {
        "name": made.name,
        "sha256": digest,
        "bytes": size,
        "records": sum(games.values()),
        "games": dict(sorted(games.items())),
        "first_ended": ended[0],
        "last_ended": ended[-1],
    }


def _manifest(config: Config, files: list[dict[str, Any]]) -> dict[str, Any]:
    names = sorted({game for file in files for game in file["games"]})
    return {
        "format": "pbem-records/1",
        "record": FORMAT,
        "service": config.base_url,
        "records": sum(file["records"] for file in files),
        "games": {game: sum(file["games"].get(game, 0) for file in files) for game in names},
        "first_ended": files[0]["first_ended"] if files else None,
        "last_ended": files[-1]["last_ended"] if files else None,
        "files": files,
    }


def _remove_stale(folder: Path, named: set[str]) -> None:
    for stale in (*folder.glob("records-*.jsonl.gz"), *folder.glob(".records-*.part")):
        if stale.name not in named:
            stale.unlink()
