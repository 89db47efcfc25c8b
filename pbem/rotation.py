"""`pbem keys`: which secret keys the service has, what hangs on each, and the next settings line of a change.

A key is changed in three steps, each a restart of all parts one after the other: the new one is put first, where it
is accepted and signs nothing; then last, where it signs; and the old one is dropped when nothing hangs on it any more.
So no part ever meets what another has signed by a key that it does not know.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pbem.backup.commands import DATA, place

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_BYTES = 32
_ADDED = "Restart all parts with this line, one after the other; then run `pbem keys --sign` with it."
_SIGNS = "Restart all parts with this line, one after the other; drop the old key when `pbem keys` finds nothing by it."
_DROPPED = "Restart all parts with this line: what only the dropped key has signed is unknown from then on."


class KeysError(Exception):
    """Says why keys stay as they are."""


@click.command()
@DATA
@click.option("--add", "step", flag_value="add", help="Print the keys with a new one first: accepted, not signing yet.")
@click.option("--sign", "step", flag_value="sign", help="Print the keys with the first one last: it signs.")
@click.option("--drop", metavar="NAME", help="Print the keys without the one of this name.")
def keys(data: Path | None, step: str | None, drop: str | None) -> None:
    """List the secret keys by name, with the newest links and operators' codes that hang on each; or print a new line.

    Nothing is changed: put the printed line into the settings of all machines, or its keys into the file secret-keys of
    the data folder. It is as secret as the keys themselves.

    Exit status: 0 when it is printed, 1 where the step cannot be taken, 2 where a setting is wrong.
    """
    with place(data) as (url, known):
        try:
            if step or drop:
                line, then = changed(known, step, drop)
                click.echo(f"PBEM_SECRET_KEYS={','.join(line)}")
                click.echo(then, err=True)
                if drop:
                    _warn(url, known, drop)
            else:
                _list(url, known)
        except KeysError as refused:
            click.echo(refused, err=True)
            sys.exit(1)


def changed(known: Sequence[str], step: str | None, drop: str | None) -> tuple[list[str], str]:
    """Give the keys as they are after a step, and what to do with them."""
    from pbem.play.links import key_name  # noqa: PLC0415 -- commands start quickly

    if drop:
        kept = [key for key in known if key_name(key) != drop]
        if len(kept) == len(known):
            raise KeysError(f"There is no key {drop}: there are {', '.join(map(key_name, known))}.")
        if not kept or kept[-1] != known[-1]:
            raise KeysError(f"The key {drop} signs: have another one sign first, by --add and --sign.")
        return kept, _DROPPED
    if step == "add":
        return [secrets.token_hex(_BYTES), *known], _ADDED
    if len(known) == 1:
        raise KeysError("There is only one key: add another one first, by --add.")
    return [*known[1:], known[0]], _SIGNS


@dataclass(frozen=True, slots=True)
class _Hanging:
    """What hangs on each key, and on none that is listed (""): seats by their newest link, operators by their codes."""

    links: Counter[str]
    codes: Mapping[str, list[str]]

    def told(self, key: str) -> str:
        operators = self.codes.get(key, ())
        return f"newest links of {self.links[key]} seats" + (f", codes of {', '.join(operators)}" if operators else "")


def _list(url: str, known: Sequence[str]) -> None:
    from pbem.play.links import key_name  # noqa: PLC0415 -- commands start quickly

    hanging = _hanging(url, known)
    for key in known:
        role = "signs" if key == known[-1] else "is accepted"
        click.echo(f"{key_name(key)}  {role:11}  {hanging.told(key) if hanging else 'the database cannot be asked'}")
    if hanging and hanging.links[""]:
        lost = hanging.links[""]
        click.echo(f"{'gone':8}  {'':11}  newest links of {lost} seats, which get others with their next mail")
    if hanging and hanging.codes.get(""):
        lost_to = ", ".join(hanging.codes[""])
        click.echo(f"{'gone':8}  {'':11}  codes of {lost_to}, which open nothing until the key is back")


def _warn(url: str, known: Sequence[str], drop: str) -> None:
    """Say what is lost with a key that cannot be had again by itself."""
    from pbem.play.links import key_name  # noqa: PLC0415 -- commands start quickly

    hanging = _hanging(url, known)
    if hanging is None:
        click.echo("The database cannot be asked what hangs on it.", err=True)
        return
    for key in known:
        if key_name(key) == drop and (operators := hanging.codes.get(key)):
            click.echo(
                f"It seals the codes of {', '.join(operators)}: keep it until each has entered by a code once more. "
                "Where it has leaked, drop it, and have them forgotten by `pbem admin operators forget-factor`.",
                err=True,
            )


def _hanging(url: str, known: Sequence[str]) -> _Hanging | None:
    """Ask the database what hangs on the keys; None where it does not answer."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 -- commands start quickly

    from pbem.db.session import connect, transaction  # noqa: PLC0415 -- the same
    from pbem.play.links import newest_by_key  # noqa: PLC0415 -- the same
    from pbem.play.operating.codes import by_key  # noqa: PLC0415 -- the same

    engine = connect(url)
    try:
        with transaction(engine) as session:
            return _Hanging(newest_by_key(session, known), by_key(session, known))
    except OperationalError:
        return None
    finally:
        engine.dispose()
