"""`pbem keys`: lists the secret keys of the service with their uses, and prints the settings line of a key rotation.

A key is rotated in three steps, each a rolling restart of all parts: the new key is put first, where it is accepted but
signs nothing; then last, where it signs; and the old key is dropped once nothing depends on it. So no part ever meets a
signature by a key that it does not know. A leaked key cannot wait: all three steps are then one, and all parts are
restarted together.
"""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import click

from pbem.ops.backup.commands import DATA_OPTION, open_target

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    _KeyUses = tuple[Counter[str], Mapping[str, list[str]], Mapping[str, int]]

_AFTER_ADD = "Restart all parts with this line, one after the other. Then run `pbem keys --sign` with it."
_AFTER_SIGN = (
    "Restart all parts with this line, one after the other. Drop the old key when `pbem keys` shows no use of it."
)
_AFTER_DROP = "Restart all parts with this line. What only the dropped key has signed is not valid then."
_AFTER_ALL_STEPS = "Restart all parts with this line at the same time: an old part rejects what the new key signs."


class KeysError(Exception):
    """The keys stay as they are; the message says why."""


@click.command()
@DATA_OPTION
@click.option("--add", is_flag=True, help="Print the keys with a new one first: it is accepted, but does not sign yet.")
@click.option("--sign", is_flag=True, help="Print the keys with the first one last: it signs.")
@click.option("--drop", metavar="NAME", help="Print the keys without the one of this name.")
def keys(data: Path | None, add: bool, sign: bool, drop: str | None) -> None:
    """List the secret keys with the links, operators' codes and devices that depend on each, or print a changed list.

    Several steps are taken in the order add, sign, drop; after a leak, take all three at once.

    Nothing is changed: put the printed line into the settings of all machines, or its keys into the file secret-keys of
    the data folder. Keep it as secret as the keys.

    Exit status: 0 if the keys are printed, 1 if a step is not possible, 2 if a setting is wrong.
    """
    with open_target(data) as (url, known):
        try:
            if add or sign or drop:
                line, then = change_keys(known, drop, add=add, sign=sign)
                click.echo(f"PBEM_SECRET_KEYS={','.join(line)}")
                click.echo(then, err=True)
                if drop:
                    _warn_of_drop(url, known, drop)
            else:
                _print_keys(url, known)
        except KeysError as refused:
            click.echo(refused, err=True)
            sys.exit(1)


def change_keys(known: Sequence[str], drop: str | None, *, add: bool, sign: bool) -> tuple[list[str], str]:
    """Return the keys after some steps, and what to do with them."""
    line, then = list(known), ""
    if add:
        line, then = [secrets.token_hex(32), *line], _AFTER_ADD
    if sign:
        line, then = _rotate(line), _AFTER_SIGN
    if drop:
        line, then = _drop(line, drop), _AFTER_DROP
    return line, f"{then} {_AFTER_ALL_STEPS}" if add and sign and drop else _AFTER_ALL_STEPS if add and sign else then


def _rotate(line: Sequence[str]) -> list[str]:
    if len(line) == 1:
        raise KeysError("There is only one key: add another one first with --add.")
    return [*line[1:], line[0]]


def _drop(line: Sequence[str], drop: str) -> list[str]:
    from pbem.play.core.tokens import key_id

    kept = [key for key in line if key_id(key) != drop]
    if len(kept) == len(line):
        raise KeysError(f"There is no key {drop}. Keys: {', '.join(map(key_id, line))}.")
    if not kept or kept[-1] != line[-1]:
        raise KeysError(f"The key {drop} signs: let another one sign first with --add and --sign.")
    return kept


def _print_keys(url: str, known: Sequence[str]) -> None:
    from pbem.play.core.tokens import key_id

    uses = _load_uses(url, known)
    for key in known:
        role = "signs" if key == known[-1] else "is accepted"
        click.echo(f"{key_id(key)}  {role:11}  {_describe(uses, key) if uses else 'the database does not answer'}")
    if uses and (lost := uses[0][""]):
        click.echo(f"{'gone':8}  {'':11}  newest links of {lost} seats, which get new ones with their next mail")
    if uses and (operators := uses[1].get("")):
        click.echo(f"{'gone':8}  {'':11}  codes of {', '.join(operators)}, which do not work until the key is back")


def _describe(uses: _KeyUses, key: str) -> str:
    operators, devices = uses[1].get(key, ()), uses[2].get(key)
    codes = f", codes of {', '.join(operators)}" if operators else ""
    return f"newest links of {uses[0][key]} seats{codes}" + (f", {devices} notified devices" if devices else "")


def _warn_of_drop(url: str, known: Sequence[str], drop: str) -> None:
    """Warn about what is lost for good with a dropped key."""
    from pbem.play.core.tokens import key_id

    uses = _load_uses(url, known)
    if uses is None:
        click.echo("The database does not answer, so it is unknown what depends on the key.", err=True)
        return
    for key in known:
        if key_id(key) == drop and (operators := uses[1].get(key)):
            click.echo(
                f"It encrypts the codes of {', '.join(operators)}: keep it until each of them has signed in with a "
                "code again. If it has leaked, drop it, and run `pbem admin operators forget-factor` for each.",
                err=True,
            )


def _load_uses(url: str, known: Sequence[str]) -> _KeyUses | None:
    """Count the seats by the key of their newest link, list the operators by that of their codes, and count devices.

    The key "" stands for keys that are not listed. Returns None if the database does not answer.
    """
    from sqlalchemy.exc import OperationalError

    from pbem.db.session import connect, session_scope
    from pbem.play.core.tokens import count_seats_by_key
    from pbem.play.notifications.push_subscriptions import count_by_key
    from pbem.play.operators.totp import names_by_key

    engine = connect(url)
    try:
        with session_scope(engine) as session:
            return count_seats_by_key(session, known), names_by_key(session, known), count_by_key(session, known)
    except OperationalError:
        return None
    finally:
        engine.dispose()
