"""Runs an operator's action from the shell in a transaction of its own, and prints the result."""

from __future__ import annotations

import getpass
import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click
from sqlalchemy.exc import OperationalError

from pbem.config import load_or_exit
from pbem.db.session import connect
from pbem.play.core.actors import ActionError, Actor
from pbem.play.core.context import transaction
from pbem.play.operators.search import pagination
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pbem.play.core.actors import ActionResult
    from pbem.play.core.context import Context
    from pbem.play.operators.search.pagination import Cursor, Page

REFUSED, UNABLE = 1, 2
"""Exit statuses: the action was refused or nothing was found; or it could not be tried."""

_MULTILINE_FIELDS = {"text"}
"""Fields whose line breaks are printed."""


@contextmanager
def transaction_or_exit() -> Iterator[Context]:
    """Open a transaction on the configured database; exits with a sentence if that fails."""
    config = load_or_exit()
    engine = connect(config.database_url)
    try:
        with transaction(engine, config) as ctx:
            yield ctx
    except ActionError as refused:
        fail(str(refused), REFUSED)
    except OperationalError:
        fail("The database of the settings cannot be reached.", UNABLE)
    finally:
        engine.dispose()


def perform(
    act: Callable[..., ActionResult],
    whom: Callable[[Context], str | int],
    reason: str,
    *,
    silent: bool = False,
    **more: Any,
) -> ActionResult:
    """Run an action on what `whom` finds, print the outcome unless `silent`, and return it."""
    with transaction_or_exit() as ctx:
        request = logs.new_id()
        with logs.bound_fields(request=request):
            done = act(ctx, Actor("shell", _current_user(), request=request), whom(ctx), reason, **more)
    if not silent:
        click.echo(done.message)
    return done


def collect_rows(pages: Callable[[Cursor | None], Page[Any]], most: int) -> list[Any]:
    """Collect up to `most` rows from the pages of a list."""
    page = pages(None)
    found = [*page.rows]
    while page.after is not None and len(found) < most:
        page = pages(page.after)
        found += page.rows
    return found[:most]


def parse_number(typed: str) -> int:
    """Parse a number; raises ActionError if it is none."""
    found = pagination.parse_number(typed.removeprefix("#"))
    if found is None:
        raise ActionError(f"“{typed}” is no number.")
    return found


def print_row(row: Mapping[str, Any], *, as_json: bool) -> None:
    """Print all fields of one row: as JSON, or one line per field."""
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    for name, value in row.items():
        if name in _MULTILINE_FIELDS and isinstance(value, str):
            click.echo("".join(letter for letter in value if letter.isprintable() or letter == "\n"))
        elif isinstance(value, list):
            click.echo(f"{name}:")
            for one in value:
                click.echo(f"  {_format_fields(one) if isinstance(one, dict) else _format_value(one)}")
        elif value not in (None, ""):
            click.echo(f"{name}: {_format_value(value)}")


def print_rows(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print rows of a list: as JSON, one per line, or as text."""
    for row in rows:
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            click.echo(_format_fields(row))
    if not rows and not as_json:
        click.echo("There is nothing of that kind.")


def _format_fields(row: Mapping[str, Any]) -> str:
    """Format the fields of a row that are not empty, each with its name."""
    said = {name: value for name, value in row.items() if value not in (None, "", [], False)}
    return "  ".join(name if value is True else f"{name} {_format_value(value)}" for name, value in said.items())


def _format_value(value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Text of others must not contain terminal control characters.
    return "".join(letter if letter.isprintable() else " " for letter in said)


def _current_user() -> str:
    """Return who runs the command: the caller of sudo, if any, since the service's own user identifies nobody."""
    if person := os.environ.get("SUDO_USER"):
        return person
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A user without a name, as in a container.
        return str(os.getuid())


def fail(said: str, status: int) -> NoReturn:
    """Exit with a sentence and a status."""
    if said:
        click.echo(said, err=True)
    sys.exit(status)
