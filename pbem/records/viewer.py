"""`pbem viewer`: writes the page that opens any record, or a page with the match of one record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.games import find
from pbem.games.verify import verify
from pbem.records.page import build_contents, replay_page, source_from_record, viewer_page
from pbem.records.verify_command import NO_RECORD, VALID, print_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.games.record import Record

VIEWER_NAME = "viewer.html"


def write_viewer(folder: Path, to: Path | None) -> int:
    """Write the page that opens any record; returns the command's exit status."""
    return _write_page(viewer_page(), folder / VIEWER_NAME, to)


def write_replay(record_file: Path, folder: Path, to: Path | None) -> int:
    """Verify a record and write its match as one page; returns the command's exit status."""
    pages: list[tuple[str, Path]] = []

    def write(record: Record) -> Iterator[str]:
        list(verify(record, find))
        usual = folder / f"{record.game}-{_safe_name(record.match)}.html"
        pages.append((replay_page(build_contents(source_from_record(record))), usual))
        yield from ()

    status = print_report(record_file, write)
    return _write_page(*pages[0], to) if status == VALID else status


def _safe_name(match: str) -> str:
    """Return the letters and digits of a match ID for a file name: a record may come from anywhere."""
    return "".join(letter for letter in match if letter.isascii() and letter.isalnum())[:20]


def _write_page(page: str, usual: Path, to: Path | None) -> int:
    """Write a page; an existing file is replaced only if its name was given."""
    path = to or usual
    try:
        with path.open("w" if to else "x", encoding="utf-8") as file:
            file.write(page)
    except FileExistsError:
        click.echo(f"{path} already exists. Name another file with --out, or this one to replace it.", err=True)
        return NO_RECORD
    except OSError as wrong:
        click.echo(f"{path} cannot be written: {wrong.strerror}.", err=True)
        return NO_RECORD
    click.echo(f"Wrote {path}")
    return VALID
