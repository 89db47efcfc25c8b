"""`pbem keys`: lists the secret keys of the service with their uses, and prints the settings line of a key rotation.

A key is rotated in three steps, each a rolling restart of all parts: the new key is put first, where it is accepted but
signs nothing; then last, where it signs; and the old key is dropped once nothing depends on it. So no part ever meets a
signature by a key that it does not know. A leaked key cannot wait: all three steps are then one, and all parts are
restarted together.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pbem.ops.backup.commands import DATA, place

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_BYTES = 32
_ADDED = "Restart all parts with this line, one after the other; then run `pbem keys --sign` with it."
_SIGNS = "Restart all parts with this line, one after the other; drop the old key when `pbem keys` finds nothing by it."
_DROPPED = "Restart all parts with this line: what only the dropped key has signed is unknown from then on."
_TOGETHER = "Restart all parts with this line together: one that has yet to be knows nothing of what the new key signs."


class KeysError(Exception):
    """The keys stay as they are; the message says why."""


@click.command()
@DATA
@click.option("--add", is_flag=True, help="Print the keys with a new one first: accepted, not signing yet.")
@click.option("--sign", is_flag=True, help="Print the keys with the first one last: it signs.")
@click.option("--drop", metavar="NAME", help="Print the keys without the one of this name.")
def keys(data: Path | None, add: bool, sign: bool, drop: str | None) -> None:  # noqa: FBT001 (flags of the command line)
    """List the secret keys by name, with the newest links and operators' codes that hang on each; or print a new line.

    Several steps at once are taken in the order add, sign, drop: all three for a key that has leaked.

    Nothing is changed: put the printed line into the settings of all machines, or its keys into the file secret-keys of
    the data folder. It is as secret as the keys themselves.

    Exit status: 0 when it is printed, 1 where the step cannot be taken, 2 where a setting is wrong.
    """
    with place(data) as (url, known):
        try:
            if add or sign or drop:
                line, then = changed(known, drop, add=add, sign=sign)
                click.echo(f"PBEM_SECRET_KEYS={','.join(line)}")
                click.echo(then, err=True)
                if drop:
                    _warn(url, known, drop)
            else:
                _list(url, known)
        except KeysError as refused:
            click.echo(refused, err=True)
            sys.exit(1)


def changed(known: Sequence[str], drop: str | None, *, add: bool, sign: bool) -> tuple[list[str], str]:
    """Return the keys after some steps, and what to do with them."""
    line, then = list(known), ""
    if add:
        line, then = [secrets.token_hex(_BYTES), *line], _ADDED
    if sign:
        line, then = _signing(line), _SIGNS
    if drop:
        line, then = _without(line, drop), _DROPPED
    return line, f"{then} {_TOGETHER}" if add and sign and drop else _TOGETHER if add and sign else then


def _signing(line: Sequence[str]) -> list[str]:
    if len(line) == 1:
        raise KeysError("There is only one key: add another one first, by --add.")
    return [*line[1:], line[0]]


def _without(line: Sequence[str], drop: str) -> list[str]:
    from pbem.play.core.tokens import key_name  # noqa: PLC0415 -- commands start quickly

    kept = [key for key in line if key_name(key) != drop]
    if len(kept) == len(line):
        raise KeysError(f"There is no key {drop}: there are {', '.join(map(key_name, line))}.")
    if not kept or kept[-1] != line[-1]:
        raise KeysError(f"The key {drop} signs: have another one sign first, by --add and --sign.")
    return kept


@dataclass(frozen=True, slots=True)
class _Hanging:
    """Uses of each key, and of keys that are not listed (""): seats by their newest link, operators by their codes."""

    links: Counter[str]
    codes: Mapping[str, list[str]]

    def told(self, key: str) -> str:
        operators = self.codes.get(key, ())
        return f"newest links of {self.links[key]} seats" + (f", codes of {', '.join(operators)}" if operators else "")


def _list(url: str, known: Sequence[str]) -> None:
    from pbem.play.core.tokens import key_name  # noqa: PLC0415 -- commands start quickly

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
    """Warn about what is lost for good with a dropped key."""
    from pbem.play.core.tokens import key_name  # noqa: PLC0415 -- commands start quickly

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
    """Query the uses of the keys; None if the database does not answer."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 -- commands start quickly

    from pbem.db.session import connect, session_scope  # noqa: PLC0415 -- the same
    from pbem.play.core.tokens import newest_by_key  # noqa: PLC0415 -- the same
    from pbem.play.operators.totp import by_key  # noqa: PLC0415 -- the same

    engine = connect(url)
    try:
        with session_scope(engine) as session:
            return _Hanging(newest_by_key(session, known), by_key(session, known))
    except OperationalError:
        return None
    finally:
        engine.dispose()
