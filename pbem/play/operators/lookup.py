"""Lookup of matches, players and others by what operators type or copy from a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, select

from pbem.db.models import Address, Match, OutboxMessage, Player, ServiceMail, Submission
from pbem.play.accounts import account_locks
from pbem.play.core.actors import ActionError
from pbem.play.matches import match_state
from pbem.play.operators.search.matches import MIN_ID_LENGTH
from pbem.play.operators.search.pagination import MAX_ROW_NUMBER

if TYPE_CHECKING:
    from pbem.play.core.context import Context

    _Row = TypeVar("_Row", OutboxMessage, ServiceMail)


def match(ctx: Context, typed: str) -> str:
    """Return the id of a match by the beginning of it; raises ActionError if that is not unique."""
    return _find_unique(ctx, Match.id, typed, typed.replace("\0", "").strip().strip("[]").lower(), "match")


def submission(ctx: Context, typed: str) -> str:
    """Return the id of a submission by the beginning of it, as in logs; raises ActionError if that is not unique."""
    return _find_unique(ctx, Submission.id, typed, typed.replace("\0", "").strip().lower(), "submission")


def player(ctx: Context, typed: str) -> int:
    """Return a player's number by their number, an address, or a unique name; raises ActionError if there is none."""
    typed = typed.replace("\0", "").strip()
    if typed.isascii() and typed.isdigit():
        number = int(typed)
        found = [number] if number <= MAX_ROW_NUMBER and ctx.session.get(Player, number) is not None else []
    elif "@" in typed:
        found = list(ctx.session.scalars(select(Address.player_id).where(Address.email == typed.lower())))
    else:
        called = func.lower(Player.name) == typed.lower(), Player.is_robot.is_(False), Player.deleted_at.is_(None)
        found = list(ctx.session.scalars(select(Player.id).where(*called).order_by(Player.id).limit(9)))
    if len(found) > 1:
        raise ActionError(f"Several people are called {typed}: use a number ({', '.join(map(str, found))}).")
    if not found:
        raise ActionError(f"There is no player {typed} here.")
    return found[0]


def lock_match(ctx: Context, name: str) -> Match:
    """Lock a match by its whole id; raises ActionError if there is none."""
    if ctx.session.get(Match, name) is None:
        raise ActionError(f"There is no match {name} here.")
    return match_state.lock_match(ctx, name)


def lock_player(ctx: Context, number: int) -> Player:
    """Lock a player by their number; raises ActionError if there is none, or it is a robot or deleted."""
    return _present(ctx.session.get(Player, number, with_for_update=True, populate_existing=True), number)


def lock_account(ctx: Context, number: int) -> Player:
    """Lock a player and all that they take part in; raises ActionError if there is none, or a robot or deleted."""
    get_player(ctx, number)
    account_locks.lock(ctx, number)
    return get_player(ctx, number)


def get_player(ctx: Context, number: int) -> Player:
    """Return a player by their number; raises ActionError if there is none, or it is a robot or deleted."""
    return _present(ctx.session.get(Player, number, populate_existing=True), number)


def _present(found: Player | None, number: int) -> Player:
    if found is None:
        raise ActionError(f"There is no player {number} here.")
    if found.is_robot:
        raise ActionError("This player is a robot.")
    if found.deleted_at:
        raise ActionError("This account is deleted.")
    return found


def lock_row(ctx: Context, kind: type[_Row], number: int, called: str) -> _Row:
    """Lock a notification or service mail by its number; raises ActionError if there is none."""
    found = ctx.session.get(kind, number, with_for_update=True, populate_existing=True)
    if found is None:
        raise ActionError(f"There is no {called} {number} here.")
    return found


def _find_unique(ctx: Context, column: object, typed: str, begins: str, called: str) -> str:
    """Return the only id that equals or begins with what was typed; raises ActionError if there is none."""
    wanted = select(column).where(column.startswith(begins, autoescape=True)).order_by(column).limit(2)  # type: ignore[attr-defined, call-overload]
    found = list(ctx.session.scalars(wanted)) if len(begins) >= MIN_ID_LENGTH else []
    if begins in found:
        return begins
    if len(found) > 1:
        raise ActionError(f"Several begin with {begins}: write more of the {called}’s id.")
    if not found:
        raise ActionError(f"There is no {called} {typed.strip()} here.")
    return str(found[0])
