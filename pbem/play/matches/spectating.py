"""Spectating: what anybody may see of a public match while it runs, and all of it once it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_

from pbem.db.models import ChatMessage, Deadline, LogEntry, Match, Offer
from pbem.games import Eye
from pbem.play.matches.views import player_names_by_match, render_view
from pbem.states import DeadlinePhase, MatchState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Row, Select

    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch


@dataclass(frozen=True, slots=True)
class AwaitedPlayer:
    """A player who is to move: since when, by when if there is a clock, and whether that has passed."""

    name: str
    since: datetime | None
    due: datetime | None
    late: bool = False


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a public list, with the names in seat order."""

    match: Match
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchVersion:
    """Current version of a public match: `mark` changes with every change of the match."""

    mark: str
    over: bool


def current_version(ctx: Context, match_id: str) -> MatchVersion | None:
    """Return the current version of a public match, cheaply; None if there is no such match to spectate."""
    wanted = select(Match.state, Match.log_length, Match.chain_head, Match.open_seats).where(
        Match.id == match_id, Match.public
    )
    row = ctx.session.execute(wanted).one_or_none()
    return None if row is None else MatchVersion(version_mark(row), row.state == MatchState.OVER)


def seat_version(ctx: Context, match: Match) -> str:
    """Return the version of a match as its seats see it, which changes with the chat and the offers too."""
    message = select(func.max(ChatMessage.id)).where(ChatMessage.match_id == match.id)
    changed = func.greatest(func.max(Offer.offered_at), func.max(Offer.declined_at))
    offers = select(func.count(), changed, func.sum(func.cardinality(Offer.agreed))).where(Offer.match_id == match.id)
    last, (count, at, agreed) = ctx.session.scalar(message), ctx.session.execute(offers).one()
    return f"{version_mark(match)}-{last or 0}-{count}-{agreed or 0}-{at.timestamp() if at else 0:.3f}"


def running_matches(ctx: Context, most: int) -> list[ListedMatch]:
    """List public matches that are running, the latest start first."""
    running = select(Match).where(Match.state == MatchState.RUNNING, Match.public)
    return _with_names(ctx, running.order_by(Match.started_at.desc(), Match.id).limit(most))


def finished_matches(
    ctx: Context, most: int, game: str = "", before: tuple[datetime, str] | None = None
) -> list[ListedMatch]:
    """List public matches that are over, the latest end first; `game` filters, `before` is the cursor."""
    over = select(Match).where(Match.state == MatchState.OVER, Match.public, Match.seed.is_not(None))
    if game:
        over = over.where(Match.game == game)
    if before:
        over = over.where(tuple_(Match.ended_at, Match.id) < before)
    return _with_names(ctx, over.order_by(Match.ended_at.desc(), Match.id.desc()).limit(most))


def _with_names(ctx: Context, wanted: Select[Match]) -> list[ListedMatch]:
    matches = ctx.session.scalars(wanted).all()
    names = player_names_by_match(ctx, [match.id for match in matches])
    return [ListedMatch(match, tuple(names.get(match.id, ()))) for match in matches]


def version_mark(match: Match | Row[MatchState, int, bytes, int]) -> str:
    """Return the version of a match, which changes with every change."""
    return f"{match.state}-{match.log_length}-{match.open_seats}-{match.chain_head.hex()[:16]}"


def spectator_view(course: LoadedMatch, names: tuple[str, ...]) -> tuple[dict[str, Any], bool]:
    """Return a match as spectators see it, and whether the end of the match has revealed anything to them."""
    public = render_view(course, Eye.PUBLIC, names)
    if course.match.state != MatchState.OVER:
        return public, False
    opened = render_view(course, Eye.OPEN, names)
    return opened, any(opened[part] != public[part] for part in ("board", "log", "text"))


def awaited_players(ctx: Context, match: Match, names: tuple[str, ...]) -> list[AwaitedPlayer]:
    """List the players who are to move, in seat order."""
    rows = ctx.session.scalars(select(Deadline).where(Deadline.match_id == match.id))
    known = {row.seat: (row.asked_at, row.due_at, row.phase != DeadlinePhase.RUNNING) for row in rows}
    last = ctx.session.scalar(select(func.max(LogEntry.logged_at)).where(LogEntry.match_id == match.id))
    default = (last or match.started_at, None, False)
    return [AwaitedPlayer(names[seat - 1], *known.get(seat, default)) for seat in match.to_move]
