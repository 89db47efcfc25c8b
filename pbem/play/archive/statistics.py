"""Stored statistics of games and players, recomputed periodically from their finished matches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import String, cast, delete, false, literal, select, union, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import DealSet, Match, Player, SeatHolder, Statistic
from pbem.play.archive import game_statistics, player_statistics
from pbem.play.matches import withheld
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

BATCH_SIZE = 50
"""Statistics recomputed per transaction."""
MAX_BATCHES = 40
"""Maximum transactions per run; the rest waits for the next run."""
WATERMARK_OVERLAP = timedelta(minutes=10)
"""Overlap of the watermark, for matches whose transactions commit after their `ended_at`; generously chosen."""

_WATERMARK = "watermark"
_GAME_PREFIX, _PLAYER_PREFIX = "game:", "player:"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def for_game(ctx: Context, game: str) -> Statistic | None:
    """Return the statistics of a game, or None if they were never computed."""
    return ctx.session.get(Statistic, f"{_GAME_PREFIX}{game}")


def for_player(ctx: Context, player: int) -> Statistic | None:
    """Return the statistics of a player, or None if they were never computed."""
    found = ctx.session.get(Statistic, f"{_PLAYER_PREFIX}{player}")
    return found if found is not None and found.data else None


def mark_stale(ctx: Context) -> None:
    """Mark the statistics of all games and players stale that have matches to count since the last call."""
    watermark = ctx.session.get(Statistic, _WATERMARK)
    since = watermark.computed_at if watermark else _EPOCH
    counts = (
        Match.state == MatchState.OVER,
        Match.seed.is_not(None),
        Match.imported_at.is_(None),
        Match.forked_from_id.is_(None),
        withheld.SHOWS_TABLE,
    )
    opened = select(DealSet.id).where(DealSet.opened_at > since)
    here = SeatHolder.left_at.is_(None), Player.is_robot.is_(false()), Player.deleted_at.is_(None)
    games = select(literal(_GAME_PREFIX) + Match.game).where(*counts)
    players = select(literal(_PLAYER_PREFIX) + cast(Player.id, String))
    players = players.join(SeatHolder, SeatHolder.player_id == Player.id)
    players = players.join(Match, Match.id == SeatHolder.match_id).where(*counts, *here)
    # What a shared deal withheld counts from when it is opened.
    new = Match.ended_at > since, Match.set_id.in_(opened)
    found = union(*(each.where(condition) for each in (games, players) for condition in new)).subquery()
    rows = select(*found.c, literal({}, Statistic.data.type), literal(ctx.now), literal(value=True))
    added = insert(Statistic).from_select(["subject", "data", "computed_at", "is_stale"], rows.order_by(*found.c))
    ctx.session.execute(added.on_conflict_do_update(index_elements=["subject"], set_={"is_stale": True}))
    ctx.session.merge(Statistic(subject=_WATERMARK, data={}, computed_at=ctx.now - WATERMARK_OVERLAP))


def recompute_batch(ctx: Context) -> bool:
    """Recompute a batch of stale statistics; return whether there may be more."""
    stale = select(Statistic).where(Statistic.is_stale).order_by(Statistic.subject).limit(BATCH_SIZE)
    rows = ctx.session.scalars(stale.with_for_update(skip_locked=True)).all()
    for row in rows:
        kind, _colon, of = row.subject.partition(":")
        row.data = game_statistics.compute(ctx, of) if kind == "game" else player_statistics.compute(ctx, int(of))
        row.computed_at, row.is_stale = ctx.now, False
    return len(rows) == BATCH_SIZE


def mark_player_stale(ctx: Context, player: int) -> None:
    """Mark a player's statistics stale."""
    row = update(Statistic).where(Statistic.subject == f"{_PLAYER_PREFIX}{player}")
    ctx.session.execute(row.values(is_stale=True))


def delete_player(ctx: Context, player: int) -> None:
    """Delete a player's statistics."""
    ctx.session.execute(delete(Statistic).where(Statistic.subject == f"{_PLAYER_PREFIX}{player}"))
