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

DATA_OPTION = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Data folder of `pbem up`, running or not; else the database of the settings is used.",
)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@DATA_OPTION
@click.option("--for", "recipients", multiple=True, envvar="PBEM_BACKUP_FOR", metavar="RECIPIENT",
              help="Encrypt for an age recipient (age1…); repeatable.")  # fmt: skip
@click.option(
    "--keep", type=click.IntRange(1), metavar="N", help="Keep the N newest backups in DIR, and delete the others."
)
def backup(folder: Path, data: Path | None, recipients: tuple[str, ...], keep: int | None) -> None:
    """Back up the whole database into DIR, also while the service runs.

    A manifest with the SHA-256 is written beside the file. Secret keys are in neither: keep them elsewhere.

    Exit status: 0 if the backup is complete and on disk, 1 if it failed, 2 if a setting is wrong.
    """
    from pbem.ops.backup.creation import back_up

    with open_target(data) as (url, keys):
        status = back_up(folder, url, _key_names(keys), recipients, keep)
    sys.exit(status)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup_key(file: Path) -> None:
    """Create a key for encrypted backups in FILE, and print the setting with its recipient.

    Keep FILE away from the service: with it anybody can read the backups, and without it nobody can.

    Exit status: 1 if FILE exists or cannot be written.
    """
    from pbem.ops.backup.encryption import write_new_key
    from pbem.ops.backup.status import run_to_status

    sys.exit(run_to_status(lambda: click.echo(f"PBEM_BACKUP_FOR={write_new_key(file)}"), file))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA_OPTION
@click.option("--key", type=click.Path(path_type=Path, dir_okay=False), help="File with the key that decrypts it.")
@click.option("--new-keys", is_flag=True, help="Restore although the service's secret keys are lost.")
def restore(file: Path, data: Path | None, key: Path | None, new_keys: bool) -> None:
    """Restore the backup FILE into an empty database; a damaged backup is not restored at all.

    What happened since the backup is lost. Links of running matches are renewed, no mail is sent twice, clocks get the
    time back, and once the service runs, all players are told where their matches stand.

    Exit status: 0 if the backup is restored, 1 if nothing was restored, 2 if a setting is wrong.
    """
    from pbem.ops.backup.restore import restore as run

    with open_target(data, make=True) as (url, keys):
        status = run(file, url, _key_names(keys), key, any_keys=new_keys)
    sys.exit(status)


@click.command()
@click.option("--until", metavar="MOMENT", help="Time of its state, as 2026-11-22T14:05Z; else its last heartbeat.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def restored(until: str | None, yes: bool) -> None:
    """Declare that the database was set back by other means, such as recovery or failover to a replica.

    Run it before you start the service. It does what `pbem restore` does after restoring the rows.

    Exit status: 0 if it is recorded, 1 if nothing was done, 2 if a setting or MOMENT is wrong.
    """
    from pbem.config import load_or_exit
    from pbem.ops.backup.restore import mark_restored as run

    try:
        moment = datetime.fromisoformat(until) if until else None
    except ValueError:
        click.echo(f"{until} is not a time: write it as 2026-11-22T14:05Z.", err=True)
        sys.exit(2)
    if moment and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    sys.exit(run(load_or_exit(), moment, lambda question: yes or click.confirm(question)))


COMMANDS = (backup, backup_key, restore, restored)


@contextmanager
def open_target(data: Path | None, *, make: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Open the database to work on: yields its URL and the service's secret keys."""
    from pbem.config import load_or_exit
    from pbem.ops.up.errors import StartError
    from pbem.ops.up.local_connection import open_database, read_secret_keys

    if data is None:
        config = load_or_exit()
        yield config.database_url, config.secret_keys
        return
    try:
        with open_database(data, make=make) as url:
            yield url, read_secret_keys(data, os.environ)
    except StartError as error:
        click.echo(error, err=True)
        sys.exit(error.status)


def _key_names(keys: tuple[str, ...]) -> list[str]:
    from pbem.play.core.tokens import key_id

    return [key_id(key) for key in keys]
