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

from pbem.config import of_this_process
from pbem.db.session import connect
from pbem.play.core.actors import ActError, Actor
from pbem.play.core.context import transaction
from pbem.play.operators.search.pagination import number
from pbem.telemetry import logs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pbem.play.core.actors import Done
    from pbem.play.core.context import Context
    from pbem.play.operators.search.pagination import Place, Rows

REFUSED, UNABLE = 1, 2
"""Exit statuses: the action was refused or nothing was found; or it could not be tried."""

_AS_IT_IS = {"text"}
"""Fields whose line breaks are printed."""


@contextmanager
def opened() -> Iterator[Context]:
    """Open a transaction on the configured database; exits with a sentence if that fails."""
    config = of_this_process()
    engine = connect(config.database_url)
    try:
        with transaction(engine, config) as ctx:
            yield ctx
    except ActError as refused:
        end(str(refused), REFUSED)
    except OperationalError:
        end("The database of the settings cannot be reached.", UNABLE)
    finally:
        engine.dispose()


def does(
    act: Callable[..., Done],
    whom: Callable[[Context], str | int],
    reason: str,
    *,
    silent: bool = False,
    **more: Any,
) -> Done:
    """Run an action on what `whom` finds, print the outcome unless `silent`, and return it."""
    with opened() as ctx:
        request = logs.fresh()
        with logs.about(request=request):
            done = act(ctx, Actor("shell", _user(), request=request), whom(ctx), reason, **more)
    if not silent:
        click.echo(done.said)
    return done


def gathered(pages: Callable[[Place | None], Rows[Any]], most: int) -> list[Any]:
    """Collect up to `most` rows from the pages of a list."""
    page = pages(None)
    found = [*page.rows]
    while page.after is not None and len(found) < most:
        page = pages(page.after)
        found += page.rows
    return found[:most]


def numbered(typed: str) -> int:
    """Parse a number; raises ActError if it is none."""
    found = number(typed.removeprefix("#"))
    if found is None:
        raise ActError(f"“{typed}” is no number.")
    return found


def whole(row: Mapping[str, Any], *, as_json: bool) -> None:
    """Print all fields of one row: as JSON, or one line per field."""
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    for name, value in row.items():
        if name in _AS_IT_IS and isinstance(value, str):
            click.echo("".join(letter for letter in value if letter.isprintable() or letter == "\n"))
        elif isinstance(value, list):
            click.echo(f"{name}:")
            for one in value:
                click.echo(f"  {_parts(one) if isinstance(one, dict) else _word(one)}")
        elif value not in (None, ""):
            click.echo(f"{name}: {_word(value)}")


def listed(rows: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print rows of a list: as JSON, one per line, or as text."""
    for row in rows:
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            click.echo(_parts(row))
    if not rows and not as_json:
        click.echo("There is nothing of that kind.")


def _parts(row: Mapping[str, Any]) -> str:
    """Format the fields of a row that are not empty, each with its name."""
    said = {name: value for name, value in row.items() if value not in (None, "", [], False)}
    return "  ".join(name if value is True else f"{name} {_word(value)}" for name, value in said.items())


def _word(value: Any) -> str:
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # Text of others must not contain terminal control characters.
    return "".join(letter if letter.isprintable() else " " for letter in said)


def _user() -> str:
    """Return who runs the command: the caller of sudo, if any, since the service's own user identifies nobody."""
    if person := os.environ.get("SUDO_USER"):
        return person
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A user without a name, as in a container.
        return str(os.getuid())


def end(said: str, status: int) -> NoReturn:
    """Exit with a sentence and a status."""
    if said:
        click.echo(said, err=True)
    sys.exit(status)
