"""What all finished matches of a game, or of a player, came to: reckoned by the database, now and then, and kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import String, cast, delete, false, literal, select, union, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Holder, Match, Player, Statistic
from pbem.play.archive import game_statistics, player_statistics
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

AT_ONCE = 50
"""So many are reckoned in one transaction."""
ROUNDS = 40
"""There are so many such transactions at once; what is left waits for the next time."""
AGAIN = timedelta(minutes=10)
"""A match that ended may be seen so much later: the longest that anything takes here, many times over."""

_WATERMARK = "watermark"
_GAME, _PLAYER = "game:", "player:"
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def of_game(ctx: Context, game: str) -> Statistic | None:
    """Give what the finished matches of a game came to; None where that was never reckoned."""
    return ctx.session.get(Statistic, f"{_GAME}{game}")


def of_player(ctx: Context, player: int) -> Statistic | None:
    """Give what a player's own finished matches came to; None where that was never reckoned."""
    found = ctx.session.get(Statistic, f"{_PLAYER}{player}")
    return found if found is not None and found.data else None


def look(ctx: Context) -> None:
    """Find the games and players of whom matches have ended since this was last asked."""
    watermark = ctx.session.get(Statistic, _WATERMARK)
    ended = (
        Match.ended_at > (watermark.at if watermark else _BEGINNING),
        *(
            Match.state == MatchState.OVER,
            Match.seed.is_not(None),
            Match.imported_at.is_(None),
            Match.forked_from.is_(None),
        ),
    )
    here = Holder.until.is_(None), Player.bot.is_(false()), Player.deleted_at.is_(None)
    games = select(literal(_GAME) + Match.game).where(*ended)
    players = select(literal(_PLAYER) + cast(Player.id, String)).join(Holder, Holder.player_id == Player.id)
    players = players.join(Match, Match.id == Holder.match_id).where(*ended, *here)
    found = union(games, players).subquery()
    rows = select(*found.c, literal({}, Statistic.data.type), literal(ctx.now), literal(value=True))
    added = insert(Statistic).from_select(["subject", "data", "at", "stale"], rows.order_by(*found.c))
    ctx.session.execute(added.on_conflict_do_update(index_elements=["subject"], set_={"stale": True}))
    ctx.session.merge(Statistic(subject=_WATERMARK, data={}, at=ctx.now - AGAIN))


def reckon(ctx: Context) -> bool:
    """Reckon some of those that are stale; tells whether there may be more."""
    stale = select(Statistic).where(Statistic.stale).order_by(Statistic.subject).limit(AT_ONCE)
    rows = ctx.session.scalars(stale.with_for_update(skip_locked=True)).all()
    for row in rows:
        kind, _colon, of = row.subject.partition(":")
        row.data = game_statistics.reckon(ctx, of) if kind == "game" else player_statistics.reckon(ctx, int(of))
        row.at, row.stale = ctx.now, False
    return len(rows) == AT_ONCE


def renew(ctx: Context, player: int) -> None:
    """Have a player's figures reckoned anew."""
    row = update(Statistic).where(Statistic.subject == f"{_PLAYER}{player}")
    ctx.session.execute(row.values(stale=True))


def forget(ctx: Context, player: int) -> None:
    """Delete a player's figures."""
    ctx.session.execute(delete(Statistic).where(Statistic.subject == f"{_PLAYER}{player}"))
