"""`pbem import FILE...`: imports records from elsewhere, all of them or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.boards.prose import clean_name
from pbem.db.session import connect
from pbem.games.record import InvalidRecordError, NotARecordError
from pbem.games.verify import UnsoundError
from pbem.play.archive.record_import import ImportRefusedError, VerifiedRecord, store, verify
from pbem.play.core.context import transaction
from pbem.play.matches.share_keys import shared_key
from pbem.records.file_parsing import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pbem.config import Config

IMPORTED, REFUSED, NO_RECORD = 0, 1, 2
_MAX_REASON_LENGTH = 400
"""Maximum characters of a reason: it quotes the file."""


def import_files(files: Sequence[Path], config: Config, *, public: bool) -> int:
    """Import the matches of all records, or of none; returns the command's exit status."""
    status, found = IMPORTED, dict[str, VerifiedRecord]()
    for file in files:
        try:
            found[str(file)] = verify(read_file(file))
        except (NotARecordError, UnsoundError, ImportRefusedError) as wrong:
            none_at_all = isinstance(wrong, NotARecordError) and not isinstance(wrong, InvalidRecordError)
            status = REFUSED if not none_at_all or status == REFUSED else NO_RECORD
            _print_refusal(str(file), wrong)
    if status == IMPORTED:
        status = _import_all(found, config, public=public)
    if status != IMPORTED and len(files) > 1:
        click.echo("Nothing was imported.", err=True)
    return status


def _import_all(found: dict[str, VerifiedRecord], config: Config, *, public: bool) -> int:
    engine, file = connect(config.database_url), ""
    lines = []
    try:
        with transaction(engine, config) as ctx:
            for file, one in found.items():
                match, new = store(ctx, one, public=public)
                where = f"{config.base_url}/matches/{match.id}"
                key = "" if match.public else f"?key={shared_key(match)}"
                lines.append(f"{file}: {where}{key}" + ("" if new else " (already imported)"))
    except ImportRefusedError as wrong:
        _print_refusal(file, wrong)
        return REFUSED
    finally:
        engine.dispose()
    for line in lines:
        click.echo(line)
    return IMPORTED


def _print_refusal(file: str, wrong: Exception) -> None:
    click.echo(f"{file}: {clean_name(str(wrong), _MAX_REASON_LENGTH)}", err=True)
