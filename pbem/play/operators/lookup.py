"""Whom an operator means: matches, players and others by what they are called, whether typed or copied from a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import func, select

from pbem.db.models import Address, Letter, Match, Notice, Player, Submission
from pbem.play.core.actors import ActError
from pbem.play.matches.match_state import lock
from pbem.play.operators.perform import LARGEST

if TYPE_CHECKING:
    from pbem.play.core.context import Context

    _Row = TypeVar("_Row", Notice, Letter)

SHORTEST = 5
"""So many letters of a match's name are enough, if no other begins with them: mails show as many."""


def match(ctx: Context, said: str) -> str:
    """Find a match by its name, or by how that begins; raises ActError."""
    name = _only(ctx, Match.id, said.replace("\0", "").strip().strip("[]").lower(), "match")
    if name is None:
        raise ActError(f"There is no match {said.strip()} here.")
    return name


def submission(ctx: Context, said: str) -> str:
    """Find a submission by its name, or by how that begins, as the logs show it; raises ActError."""
    name = _only(ctx, Submission.id, said.replace("\0", "").strip().lower(), "submission")
    if name is None:
        raise ActError(f"There is no submission {said.strip()} here.")
    return name


def player(ctx: Context, said: str) -> int:
    """Find a person by their number, by an address of theirs, or by a name that nobody else has; raises ActError."""
    said = said.replace("\0", "").strip()
    if said.isascii() and said.isdigit():
        number = int(said)
        found = [number] if number <= LARGEST and ctx.session.get(Player, number) is not None else []
    elif "@" in said:
        found = list(ctx.session.scalars(select(Address.player_id).where(Address.email == said.lower())))
    else:
        called = func.lower(Player.name) == said.lower(), Player.bot.is_(False), Player.deleted_at.is_(None)
        found = list(ctx.session.scalars(select(Player.id).where(*called).order_by(Player.id).limit(9)))
    if len(found) > 1:
        raise ActError(f"Several people are called {said}: say which by their number ({', '.join(map(str, found))}).")
    if not found:
        raise ActError(f"There is nobody here who is known as {said}.")
    return found[0]


def locked_match(ctx: Context, name: str) -> Match:
    """Lock a match by its whole name; raises ActError where there is none."""
    if ctx.session.get(Match, name) is None:
        raise ActError(f"There is no match {name} here.")
    return lock(ctx, name)


def locked_player(ctx: Context, number: int) -> Player:
    """Lock a person by their number; raises ActError where there is none, for robots, and for those who have left."""
    found = ctx.session.get(Player, number, with_for_update=True, populate_existing=True)
    if found is None:
        raise ActError(f"There is no player {number} here.")
    if found.bot:
        raise ActError("That is a robot: nothing can be done to it.")
    if found.deleted_at:
        raise ActError("They have left for good: nothing here tells any more who they were.")
    return found


def locked(ctx: Context, kind: type[_Row], number: int, called: str) -> _Row:
    """Lock a notice or a letter by its number; raises ActError where there is none."""
    found = ctx.session.get(kind, number, with_for_update=True, populate_existing=True)
    if found is None:
        raise ActError(f"There is no {called} {number} here.")
    return found


def _only(ctx: Context, column: object, begins: str, called: str) -> str | None:
    """Find the only name that is, or begins with, what was typed."""
    wanted = select(column).where(column.startswith(begins, autoescape=True)).order_by(column).limit(2)  # type: ignore[attr-defined, call-overload]
    found = list(ctx.session.scalars(wanted)) if len(begins) >= SHORTEST else []
    if begins in found:
        return begins
    if len(found) > 1:
        raise ActError(f"Several begin with {begins}: write more of the {called}’s name.")
    return found[0] if found else None
