"""Spectating: what anybody may see of a public match while it runs, and all of it once it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_

from pbem.db.models import Deadline, LogEntry, Match
from pbem.games import Eye
from pbem.play.matches.views import names_at, shown
from pbem.states import MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import Course


@dataclass(frozen=True, slots=True)
class Awaited:
    """A player who is to move: since when, by when if there is a clock, and whether that has passed."""

    name: str
    since: datetime | None
    due: datetime | None
    late: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A match in a public list, with the names in seat order."""

    match: Match
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Newest:
    """Current version of a public match: `mark` changes with every change of the match."""

    mark: str
    over: bool


def newest(ctx: Context, match_id: str) -> Newest | None:
    """Return the current version of a public match, cheaply; None if there is no such match to spectate."""
    wanted = select(Match.state, Match.length, Match.head, Match.open_seats).where(Match.id == match_id, Match.public)
    row = ctx.session.execute(wanted).one_or_none()
    return None if row is None else Newest(_mark(*row), row[0] == MatchState.OVER)


def played(ctx: Context, most: int) -> list[Shown]:
    """List public matches that are running, the latest start first."""
    running = select(Match).where(Match.state == MatchState.RUNNING, Match.public)
    return _shown(ctx, running.order_by(Match.started_at.desc(), Match.id).limit(most))


def finished(ctx: Context, most: int, game: str = "", before: tuple[datetime, str] | None = None) -> list[Shown]:
    """List public matches that are over, the latest end first; `game` filters, `before` is the cursor."""
    over = select(Match).where(Match.state == MatchState.OVER, Match.public, Match.seed.is_not(None))
    if game:
        over = over.where(Match.game == game)
    if before:
        over = over.where(tuple_(Match.ended_at, Match.id) < before)
    return _shown(ctx, over.order_by(Match.ended_at.desc(), Match.id.desc()).limit(most))


def _shown(ctx: Context, wanted: Select[Match]) -> list[Shown]:
    matches = ctx.session.scalars(wanted).all()
    names = names_at(ctx, [match.id for match in matches])
    return [Shown(match, tuple(names.get(match.id, ()))) for match in matches]


def mark(match: Match) -> str:
    """Return the version of a match, which changes with every change."""
    return _mark(match.state, match.length, match.head, match.open_seats)


def seen(course: Course, names: tuple[str, ...]) -> tuple[dict[str, Any], bool]:
    """Return a match as spectators see it, and whether the end of the match has revealed anything to them."""
    public = shown(course, Eye.PUBLIC, names)
    if course.match.state != MatchState.OVER:
        return public, False
    opened = shown(course, Eye.OPEN, names)
    return opened, any(opened[part] != public[part] for part in ("board", "log", "text"))


def awaited(ctx: Context, match: Match, names: tuple[str, ...]) -> list[Awaited]:
    """List the players who are to move, in seat order."""
    rows = ctx.session.scalars(select(Deadline).where(Deadline.match_id == match.id))
    asked = {row.seat: (row.asked_at, row.due_at, row.late_at is not None) for row in rows}
    last = ctx.session.scalar(select(func.max(LogEntry.at)).where(LogEntry.match_id == match.id))
    otherwise = (last or match.started_at, None, False)
    return [Awaited(names[seat - 1], *asked.get(seat, otherwise)) for seat in match.to_move]


def _mark(state: str, length: int, head: bytes, open_seats: int) -> str:
    return f"{state}-{length}-{open_seats}-{head.hex()[:16]}"
