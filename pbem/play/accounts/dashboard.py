"""A player's own matches: those that wait for them, those that wait for others, and finished ones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, any_, bindparam, case, exists, func, not_, or_, select, tuple_
from sqlalchemy.orm import aliased

from pbem.db import conditions
from pbem.db.models import Deadline, LogEntry, Match, MatchSeat, Player, SeatHolder
from pbem.play.core import tokens
from pbem.play.matches import descriptions
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.play.core.context import Context

FINISHED_PER_PAGE = 20
"""Number of finished matches per page."""

_NEVER = datetime.max.replace(tzinfo=UTC)

_MATCHES: Any = (
    select(
        Match.id.label("match"),
        Match.game,
        Match.public,
        Match.state,
        Match.started_at.is_not(None).label("begun"),
        Match.ply,
        SeatHolder.seat,
        SeatHolder.id.label("holder"),
        Match.to_move,
        Match.open_seats,
        Deadline.asked_at,
        Deadline.due_at,
        Deadline.phase_ends_at.label("ends_at"),
        Match.log_length.label("length"),
        func.coalesce(LogEntry.logged_at, Match.started_at, Match.created_at).label("since"),
        case((LogEntry.ply.is_not(None), LogEntry.seat)).label("moved"),
        Match.ended_at,
        Match.result,
    )
    .join(SeatHolder, SeatHolder.match_id == Match.id)
    .outerjoin(Deadline, and_(Deadline.match_id == Match.id, Deadline.seat == SeatHolder.seat))
    .outerjoin(LogEntry, and_(LogEntry.match_id == Match.id, LogEntry.number == Match.log_length))
    .where(SeatHolder.player_id == bindparam("player"), SeatHolder.left_at.is_(None))
)
"""A player's matches, with the columns that `MatchSummary` names."""
_UNFINISHED = _MATCHES.where(Match.state != MatchState.OVER)
_SEATED = (
    select(
        SeatHolder.match_id,
        SeatHolder.seat,
        SeatHolder.name,
        SeatHolder.rates_as_bot,
        MatchSeat.accepted_at,
        # Few players are robots: a join would look up, or read, all the others.
        case(
            (
                SeatHolder.player_id.in_(select(Player.id).where(Player.is_robot)),
                select(func.coalesce(Player.robot_level, "fair"))
                .where(Player.id == SeatHolder.player_id)
                .scalar_subquery(),
            )
        ).label("robot_level"),
    )
    .join(MatchSeat, and_(MatchSeat.match_id == SeatHolder.match_id, MatchSeat.seat == SeatHolder.seat))
    .where(conditions.is_any_of(SeatHolder.match_id, "matches"), SeatHolder.left_at.is_(None))
    .order_by(SeatHolder.match_id, SeatHolder.seat)
)


def _newest_finished(*before: Any) -> Any:
    """Build the query for a player's finished matches, newest first, each by one of their seats."""
    earlier = aliased(SeatHolder)
    same = earlier.match_id == SeatHolder.match_id, earlier.player_id == SeatHolder.player_id, earlier.left_at.is_(None)
    theirs = select(SeatHolder.id).join(Match, Match.id == SeatHolder.match_id)
    theirs = theirs.where(SeatHolder.player_id == bindparam("player"), SeatHolder.left_at.is_(None))
    over = theirs.where(Match.state == MatchState.OVER, ~exists().where(*same, earlier.seat < SeatHolder.seat), *before)
    newest = Match.ended_at.desc(), Match.id.desc()
    # The joins run only for the rows that are shown.
    few = over.order_by(*newest).limit(FINISHED_PER_PAGE + 1)
    return _MATCHES.where(SeatHolder.id.in_(few)).order_by(*newest)


_FINISHED = _newest_finished()
_FINISHED_BEFORE = _newest_finished(
    tuple_(Match.ended_at, Match.id) < tuple_(bindparam("ended_at", type_=Match.ended_at.type), bindparam("match"))
)


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match of a player: who plays, for whom it waits and by when, and who moved last.

    `names` is by seat, since seats may still be open. `since` is the time of the last event, `moved` the seat whose
    move that was, if it was one. `ends_at` is the end of the grace period, if the player's time has run out.
    """

    match: str
    game: str
    public: bool
    state: str
    begun: bool
    ply: int
    seat: int
    holder: int
    to_move: Sequence[int]
    open_seats: int
    asked_at: datetime | None
    due_at: datetime | None
    ends_at: datetime | None
    length: int
    since: datetime
    moved: int | None
    ended_at: datetime | None
    result: Mapping[str, Any] | None
    names: Mapping[int, str]
    seats_not_accepted: tuple[int, ...]
    robots: Mapping[int, str]
    bots: tuple[int, ...]

    @property
    def others(self) -> list[str]:
        """The names of the other players, in seat order; robots are marked."""
        return [
            descriptions.list_name(name, self.robots.get(seat))
            for seat, name in self.names.items()
            if seat != self.seat
        ]

    @property
    def awaited(self) -> list[str]:
        """The names of the other players for whom the match waits."""
        seats = self.seats_not_accepted if self.state == MatchState.INVITING else self.to_move
        return [self.names[seat] for seat in seats if seat != self.seat and seat in self.names]

    @property
    def waits(self) -> bool:
        """Whether the match waits for the player, to move or to accept."""
        return self.seat in (self.seats_not_accepted if self.state == MatchState.INVITING else self.to_move)

    @property
    def stage(self) -> int:
        """The ply that the seat's links belong to; 0 is the invitation."""
        return self.ply if self.begun else 0

    @property
    def all_names(self) -> tuple[str, ...]:
        """All names in seat order, as sentences about the match need them."""
        return tuple(self.names.values())


def unfinished(ctx: Context, player: int) -> list[MatchSummary]:
    """List a player's unfinished matches, most urgent first.

    Matches that wait for the player come first, by due time and then by how long they have waited; then those that
    wait for others, most recent activity first; last those that have not started.
    """
    return sorted(_summaries(ctx, _unfinished_rows(ctx, player)), key=_urgency)


def finished(ctx: Context, player: int, before: tuple[datetime, str] | None = None) -> list[MatchSummary]:
    """List a player's finished matches, newest first, from before an end time and match id.

    One more than a page is returned, so that the caller sees whether there are more.
    """
    return _summaries(ctx, _finished_rows(ctx, player, before))


def overview(ctx: Context, player: int) -> tuple[list[MatchSummary], list[MatchSummary]]:
    """Return a player's unfinished matches and the newest finished ones, with one query fewer than by two calls."""
    present, over = _unfinished_rows(ctx, player), _finished_rows(ctx, player)
    found = _summaries(ctx, [*present, *over])
    return sorted(found[: len(present)], key=_urgency), found[len(present) :]


def count_waiting(player: Any) -> Any:
    """Return a subquery that counts the matches that wait for the player in a column, to move or to accept."""
    accepts = and_(Match.state == MatchState.INVITING, MatchSeat.accepted_at.is_(None))
    moves = and_(Match.state == MatchState.RUNNING, SeatHolder.seat == any_(Match.to_move))
    at = and_(MatchSeat.match_id == SeatHolder.match_id, MatchSeat.seat == SeatHolder.seat)
    return (
        select(func.count(Match.id.distinct()))
        .join(SeatHolder, SeatHolder.match_id == Match.id)
        .join(MatchSeat, at)
        .where(SeatHolder.player_id == player, SeatHolder.left_at.is_(None), or_(accepts, moves))
        .correlate_except(Match, SeatHolder, MatchSeat)
        .scalar_subquery()
    )


def find_holder(ctx: Context, match_id: str, player: int) -> SeatHolder | None:
    """Return the seat that a player holds in a match; of several, the one that is to move."""
    theirs = SeatHolder.match_id == match_id, SeatHolder.player_id == player, SeatHolder.left_at.is_(None)
    seats = select(SeatHolder).join(Match, Match.id == SeatHolder.match_id).where(*theirs)
    return ctx.session.scalar(seats.order_by(not_(SeatHolder.seat == any_(Match.to_move)), SeatHolder.seat).limit(1))


def link_token(ctx: Context, match: Match, holder: SeatHolder) -> str:
    """Return the token of a seat's link at the current stage; the caller has checked that the seat is theirs.

    This is the mailed token while it is valid, so that viewing a page issues no new one.
    """
    ply = tokens.current_ply(ctx, match, holder)
    for secret in reversed(ctx.config.secret_keys):
        token = tokens.derive(secret, tokens.LINK, holder.id, ply, holder.generation)
        if tokens.find_valid(ctx, [token], tokens.LINK):
            return token
    return tokens.rederive(ctx, holder, tokens.LINK, ply, tokens.issue(ctx, holder, ply))


def _unfinished_rows(ctx: Context, player: int) -> list[Any]:
    rows = ctx.session.execute(_UNFINISHED, {"player": player}).mappings()
    # Of several seats in a match, the one to move is shown.
    by_urgency = sorted(rows, key=lambda row: (row["seat"] in row["to_move"], -row["seat"]))
    return [*{row["match"]: row for row in by_urgency}.values()]


def _finished_rows(ctx: Context, player: int, before: tuple[datetime, str] | None = None) -> list[Any]:
    if before is None:
        rows = ctx.session.execute(_FINISHED, {"player": player})
    else:
        rows = ctx.session.execute(_FINISHED_BEFORE, {"player": player, "ended_at": before[0], "match": before[1]})
    return [*rows.mappings()]


def _summaries(ctx: Context, rows: Sequence[Any]) -> list[MatchSummary]:
    """Add to some matches who sits there and who has accepted, by one query."""
    seated: dict[str, list[Any]] = {row["match"]: [] for row in rows}
    for holder in ctx.session.execute(_SEATED, {"matches": [*seated]}) if seated else ():
        seated[holder.match_id].append(holder)
    found = []
    for row in rows:
        names = {each.seat: each.name for each in seated[row["match"]]}
        not_accepted = tuple(each.seat for each in seated[row["match"]] if each.accepted_at is None)
        robots = {each.seat: each.robot_level for each in seated[row["match"]] if each.robot_level}
        bots = tuple(each.seat for each in seated[row["match"]] if each.rates_as_bot is not None)
        found.append(MatchSummary(**row, names=names, seats_not_accepted=not_accepted, robots=robots, bots=bots))
    return found


def _urgency(one: MatchSummary) -> tuple[Any, ...]:
    if one.waits:
        return 0, one.due_at or _NEVER, one.asked_at or one.since, one.match
    return (1 if one.begun else 2), -one.since.timestamp(), one.match
