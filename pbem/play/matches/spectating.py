"""Spectating: what anybody may see of a public match while it runs, and all of it once it is over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select, tuple_

from pbem.db.models import ChatMessage, Deadline, LogEntry, Match, Offer
from pbem.games import Eye
from pbem.play.matches import withheld
from pbem.play.matches.views import player_names_by_match, render_view, robot_levels, view_for
from pbem.states import DeadlinePhase, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Row, Select

    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

LONGEST_THOUGHT = timedelta(minutes=2)
"""Time within which a robot moves, unless it has reached the limits of a day."""

_CHAT_AND_OFFERS = select(
    select(func.max(ChatMessage.id)).where(ChatMessage.match_id == bindparam("match")).scalar_subquery(),
    func.count(),
    func.greatest(func.max(Offer.offered_at), func.max(Offer.declined_at)),
    func.sum(func.cardinality(Offer.agreed)),
).where(Offer.match_id == bindparam("match"))


@dataclass(frozen=True, slots=True)
class AwaitedPlayer:
    """A player who is to move: since when, by when if there is a clock, and whether that has passed.

    A robot that has reached the limits of a day thinks again `thinks_at`.
    """

    name: str
    since: datetime | None
    due: datetime | None
    late: bool = False
    is_robot: bool = False
    thinks_at: datetime | None = None


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
    last, count, at, agreed = ctx.session.execute(_CHAT_AND_OFFERS, {"match": match.id}).one()
    return f"{version_mark(match)}-{last or 0}-{count}-{agreed or 0}-{at.timestamp() if at else 0:.3f}"


def running_matches(ctx: Context, most: int) -> list[ListedMatch]:
    """List public matches that are running, the latest start first."""
    running = select(Match).where(Match.state == MatchState.RUNNING, Match.public, withheld.SHOWS_TABLE)
    return _with_names(ctx, running.order_by(Match.started_at.desc(), Match.id).limit(most))


def finished_matches(
    ctx: Context, most: int, game: str = "", before: tuple[datetime, str] | None = None
) -> list[ListedMatch]:
    """List public matches that are over, the latest end first; `game` filters, `before` is the cursor."""
    over = select(Match).where(Match.state == MatchState.OVER, Match.public, Match.seed.is_not(None))
    over = over.where(withheld.SHOWS_TABLE)
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
    if course.match.state != MatchState.OVER:
        return render_view(course, Eye.PUBLIC, names), False
    opened, public = render_view(course, Eye.OPEN, names), view_for(course, Eye.PUBLIC)
    return opened, (opened["board"], opened["log"]) != (public.board, public.log)


def awaited_players(
    ctx: Context, match: Match, names: tuple[str, ...], deadlines: Iterable[Deadline]
) -> list[AwaitedPlayer]:
    """List the players who are to move, in seat order, from the deadlines of their match."""
    known = {row.seat: row for row in deadlines}
    since = None
    if set(match.to_move) - known.keys():
        last = select(func.max(LogEntry.logged_at)).where(LogEntry.match_id == match.id)
        since = ctx.session.scalar(last) or match.started_at
    robots = robot_levels(ctx, match)
    return [
        _awaited_player(ctx, names[seat - 1], known[seat], is_robot=seat in robots)
        if seat in known
        else AwaitedPlayer(names[seat - 1], since, None, is_robot=seat in robots)
        for seat in match.to_move
    ]


def _awaited_player(ctx: Context, name: str, row: Deadline, *, is_robot: bool) -> AwaitedPlayer:
    # When the service plays for a person is theirs to know.
    moves_at = row.robot_moves_at if is_robot else None
    thinks_at = moves_at if moves_at and moves_at > ctx.now + LONGEST_THOUGHT else None
    return AwaitedPlayer(name, row.asked_at, row.due_at, row.phase != DeadlinePhase.RUNNING, is_robot, thinks_at)
