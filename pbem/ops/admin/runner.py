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
from pbem.db.sqlstates import is_deadlock
from pbem.play.core.actors import ActionError, ActionResult, Actor
from pbem.play.core.context import Context, transaction
from pbem.play.operators.search import pagination
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pbem.play.operators.search.pagination import Cursor, Page

REFUSED, UNABLE = 1, 2
"""Exit statuses: the action was refused or nothing was found; or it could not be tried."""


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
    except OperationalError as fault:
        if is_deadlock(fault):
            fail("Somebody changed the same at the same moment, so nothing was done. Try again.", UNABLE)
        fail("The database of the settings does not answer.", UNABLE)
    finally:
        engine.dispose()


def perform(
    action: Callable[..., ActionResult],
    target: str | int,
    reason: str,
    *,
    find: Callable[[Context, str], str | int] | None = None,
    silent: bool = False,
    **more: Any,
) -> ActionResult:
    """Run an action on a target, looked up with `find` if given; print the result unless `silent`, and return it."""
    with transaction_or_exit() as ctx:
        request = logs.new_id()
        with logs.bound_fields(request=request):
            found = find(ctx, str(target)) if find else target
            result = action(ctx, Actor("shell", _current_user(), request=request), found, reason, **more)
    if not silent:
        click.echo(result.message)
    return result


def collect_rows(pages: Callable[[Cursor | None], Page[Any]], most: int) -> list[Any]:
    """Collect up to `most` rows from the pages of a list."""
    page = pages(None)
    rows = [*page.rows]
    while page.after is not None and len(rows) < most:
        page = pages(page.after)
        rows += page.rows
    return rows[:most]


def parse_number(typed: str) -> int:
    """Parse a number; raises ActionError if it is none."""
    found = pagination.parse_number(typed.removeprefix("#"))
    if found is None:
        raise ActionError(f"“{typed}” is not a number.")
    return found


def print_row(row: Mapping[str, Any], *, as_json: bool) -> None:
    """Print all fields of one row: as JSON, or one line per field."""
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    for name, value in row.items():
        if name == "text" and isinstance(value, str):
            # Its line breaks are printed.
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
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else _format_fields(row))
    if not rows and not as_json:
        click.echo("Nothing found.")


def _format_fields(row: Mapping[str, Any]) -> str:
    """Format the fields of a row that are not empty, each with its name."""
    fields = {name: value for name, value in row.items() if value not in (None, "", [], False)}
    return "  ".join(name if value is True else f"{name} {_format_value(value)}" for name, value in fields.items())


def _format_value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Text of others must not contain terminal control characters.
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _current_user() -> str:
    """Return who runs the command: the caller of sudo, if any, since the service's own user identifies nobody."""
    if person := os.environ.get("SUDO_USER"):
        return person
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A user without a name, as in a container.
        return str(os.getuid())


def fail(message: str, status: int) -> NoReturn:
    """Exit with a message and a status."""
    if message:
        click.echo(message, err=True)
    sys.exit(status)
