"""Commands `pbem backup`, `backup-key`, `restore` and `restored`; each imports what it needs when it is called."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.config import Config

DATA_OPTION = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="The data folder of `pbem up`, whether it runs or not; else the database of the settings.",
)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@DATA_OPTION
@click.option("--for", "recipients", multiple=True, envvar="PBEM_BACKUP_FOR", metavar="RECIPIENT",
              help="Seal it for an age recipient (age1…); several times for several.")  # fmt: skip
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Then remove all backups in DIR but the N newest.")
def backup(folder: Path, data: Path | None, recipients: tuple[str, ...], keep: int | None) -> None:
    """Write the whole database into DIR, as it stands at one moment: while the service runs, at any time.

    Beside the file comes a manifest with its SHA-256, written last. Secret keys are in neither: keep them elsewhere.

    Exit status: 0 when it is whole and on the disk, 1 when there is none, 2 where a setting is wrong.
    """
    from pbem.ops.backup.creation import back_up

    with open_target(data) as (url, keys):
        status = back_up(folder, url, _key_names(keys), recipients, keep)
    sys.exit(status)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup_key(file: Path) -> None:
    """Write a new key that opens backups into FILE, and say for which recipient they are to be sealed.

    Keep FILE away from the service: whoever has it can read its backups, and without it nobody can.

    Exit status 1 where FILE is there already, or cannot be written.
    """
    from pbem.ops.backup.encryption import write_new_key
    from pbem.ops.backup.status import run_to_status

    sys.exit(run_to_status(lambda: click.echo(f"PBEM_BACKUP_FOR={write_new_key(file)}"), file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA_OPTION
@click.option("--key", type=click.Path(path_type=Path, dir_okay=False), help="The file with the key that opens it.")
@click.option("--new-keys", is_flag=True, help="Bring it back though the service's secret keys are lost.")
def restore(file: Path, data: Path | None, key: Path | None, new_keys: bool) -> None:
    """Bring the backup FILE back into an empty database: all of it, or nothing where it was cut or changed.

    What happened since is lost: links of running matches are renewed, no mail goes out twice, clocks get the time back,
    and once the service runs, every table is told where its match stands.

    Exit status: 0 when it is there, 1 when nothing was brought back, 2 where a setting is wrong.
    """
    from pbem.ops.backup.restore import restore as run

    with open_target(data, make=True) as (url, keys):
        status = run(file, url, _key_names(keys), key, any_keys=new_keys)
    sys.exit(status)


@click.command()
@click.option("--until", metavar="MOMENT", help="Of when it is, as 2026-11-22T14:05Z; else its last sign of life.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def restored(until: str | None, yes: bool) -> None:
    """Say that the database was brought to an older state by other means: recovered, or taken over from a copy.

    Before the service is started. It does what `pbem restore` does besides bringing rows back.

    Exit status: 0 when it is written down, 1 when nothing was done, 2 where a setting or MOMENT is wrong.
    """
    from pbem.ops.backup.restore import mark_restored as run

    try:
        moment = datetime.fromisoformat(until) if until else None
    except ValueError:
        click.echo(f"{until} is no moment: write it as 2026-11-22T14:05Z.", err=True)
        sys.exit(2)
    if moment and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    sys.exit(run(_settings(), moment, lambda question: yes or click.confirm(question)))


COMMANDS = (backup, backup_key, restore, restored)


@contextmanager
def open_target(data: Path | None, *, make: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Open the database to work on: yields its URL and the service's secret keys."""
    from pbem.ops.up.errors import StartError
    from pbem.ops.up.local_connection import open_database, read_secret_keys

    if data is None:
        config = _settings()
        yield config.database_url, config.secret_keys
        return
    try:
        with open_database(data, make=make) as url:
            yield url, read_secret_keys(data, os.environ)
    except StartError as wrong:
        click.echo(wrong, err=True)
        sys.exit(wrong.status)


def _key_names(keys: tuple[str, ...]) -> list[str]:
    from pbem.play.core.tokens import key_id

    return [key_id(key) for key in keys]


def _settings() -> Config:
    from pbem.config import load_or_exit

    return load_or_exit()
