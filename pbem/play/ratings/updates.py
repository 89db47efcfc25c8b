"""Rates ended matches in the order of their ends, and takes ratings back to before a match.

All of it happens under one lock, so that matches are rated one after the other, against the ratings of that moment.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert

from pbem.db.models import Match, PlayerRating, RatingChange, SeatHolder
from pbem.db.session import send_after_commit
from pbem.play.ratings import facts
from pbem.ratings.eligibility import WINDOW
from pbem.ratings.fold import Counted, Standing, fold
from pbem.ratings.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pbem.play.core.context import Context
    from pbem.play.ratings.facts import Place
    from pbem.ratings.fold import Decision
    from pbem.ratings.match_facts import MatchFacts

RATE_TASK = "rate_matches"
BATCH_SIZE = 200
"""Matches rated per transaction."""
MAX_BATCHES = 50
"""Maximum transactions per run; the rest waits for the next run."""

_LOCK_ID = 7_276_112_024
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC), ""
_FORGET = text("""
    DELETE FROM ratings WHERE at >= :at AND NOT EXISTS (
        SELECT FROM rating_changes WHERE player_id = ratings.player_id AND game = ratings.game)
""")
# What the last match left that is still counted.
_RESTORE = text("""
    UPDATE ratings SET (mu, sigma, matches, at) = (
        SELECT mu_after, sigma_after, change.matches, change.at FROM rating_changes AS change
        WHERE change.player_id = ratings.player_id AND change.game = ratings.game
        ORDER BY change.at DESC, change.match_id DESC LIMIT 1)
    WHERE at >= :at
""")


def rate_batch(ctx: Context, most: int = BATCH_SIZE) -> bool:
    """Rate some ended matches; return whether there may be more. Does nothing if another process rates."""
    if not ctx.session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK_ID))):
        return False
    matches = facts.load(ctx, facts.DUE, most)
    if matches and _is_rated_since(ctx, _place(matches[0])):
        # It was committed after later ones were rated.
        rewind(ctx, _place(matches[0]))
        matches = facts.load(ctx, facts.DUE, most)
    if matches:
        players = {seat.player for match in matches for seat in match.seats}
        counted = _load_counted(ctx, players, matches[0].ended_at - WINDOW)
        _store(ctx, [*fold(matches, _load_standings(ctx, players), counted)])
    return len(matches) == most


def lock(ctx: Context) -> None:
    """Wait until nobody else rates, and keep others from it until the end of the transaction.

    A transaction that locks players as well locks this first.
    """
    ctx.session.execute(select(func.pg_advisory_xact_lock(_LOCK_ID)))


def rewind(ctx: Context, place: Place | None) -> None:
    """Take all ratings back to before a match, or before all, and enqueue the task that rates what follows anew."""
    lock(ctx)
    at, match = place or _BEGINNING
    decided = update(Match).where(*facts.DECIDED, tuple_(Match.ended_at, Match.id) >= (at, match))
    for statement in (
        delete(RatingChange).where(tuple_(RatingChange.at, RatingChange.match_id) >= (at, match)),
        decided.values(rated_at=None, unrated_reason=None),
    ):
        ctx.session.execute(statement.execution_options(synchronize_session=False))
    for restoring in (_FORGET, _RESTORE):
        ctx.session.execute(restoring, {"at": at})
    send_after_commit(ctx.session, RATE_TASK)


def rewind_player(ctx: Context, player: int) -> None:
    """Take all ratings back to before the first match of a player that was decided, if there is one."""
    lock(ctx)
    sat = select(SeatHolder.match_id).where(SeatHolder.player_id == player)
    first = select(Match.ended_at, Match.id).where(Match.id.in_(sat), *facts.DECIDED)
    found = ctx.session.execute(first.order_by(Match.ended_at, Match.id).limit(1)).one_or_none()
    if found:
        rewind(ctx, (found.ended_at, found.id))


def change_values(decision: Decision) -> list[dict[str, Any]]:
    """Return the rows of a decision's changes."""
    return [
        {
            "match_id": decision.match.match,
            "player_id": change.player,
            "game": decision.match.game,
            "seat": change.seat,
            "rank": change.rank,
            "lost_on_time": change.lost_on_time,
            "mu_before": change.before.mu,
            "sigma_before": change.before.sigma,
            "mu_after": change.after.rating.mu,
            "sigma_after": change.after.rating.sigma,
            "matches": change.after.matches,
            "at": change.after.at,
        }
        for change in decision.changes
    ]


def _place(match: MatchFacts) -> Place:
    return match.ended_at, match.match


def _is_rated_since(ctx: Context, place: Place) -> bool:
    later = select(RatingChange.match_id).where(tuple_(RatingChange.at, RatingChange.match_id) > place)
    return ctx.session.scalar(later.limit(1)) is not None


def _load_standings(ctx: Context, players: Collection[int]) -> dict[tuple[int, str], Standing]:
    rows = ctx.session.execute(select(*PlayerRating.__table__.columns).where(PlayerRating.player_id.in_(players)))
    return {(row.player_id, row.game): Standing(Rating(row.mu, row.sigma), row.matches, row.at) for row in rows}


def _load_counted(ctx: Context, players: Collection[int], since: datetime) -> list[Counted]:
    """Load which matches of some players counted since some time, in order."""
    columns = RatingChange.at, RatingChange.match_id, RatingChange.player_id, RatingChange.lost_on_time, Match.event_id
    known = (
        select(*columns)
        .join(Match, Match.id == RatingChange.match_id)
        .where(RatingChange.player_id.in_(players), RatingChange.at > since)
    )
    rows = ctx.session.execute(known.order_by(RatingChange.at, RatingChange.match_id)).all()
    return [_counted([*group]) for _match, group in groupby(rows, lambda row: row.match_id)]


def _counted(rows: Sequence[Any]) -> Counted:
    lost = frozenset(row.player_id for row in rows if row.lost_on_time)
    return Counted(rows[0].at, frozenset(row.player_id for row in rows), lost, rows[0].event_id is not None)


def _store(ctx: Context, decisions: Sequence[Decision]) -> None:
    """Insert the changes, replace the ratings by the last of them, and mark the matches as rated."""
    changes = [row for decision in decisions for row in change_values(decision)]
    if changes:
        ctx.session.execute(insert(RatingChange), changes)
        newest = {(row["player_id"], row["game"]): row for row in changes}
        _upsert_ratings(ctx, [newest[key] for key in sorted(newest)])
    done = [
        {"id": decision.match.match, "rated_at": ctx.now, "unrated_reason": decision.reason} for decision in decisions
    ]
    ctx.session.execute(update(Match), done)


def _upsert_ratings(ctx: Context, changes: Sequence[dict[str, Any]]) -> None:
    statement = upsert(PlayerRating)
    columns = ("mu", "sigma", "matches", "at")
    replaced = {name: statement.excluded[name] for name in columns}
    rows = [
        {
            "player_id": row["player_id"],
            "game": row["game"],
            "mu": row["mu_after"],
            "sigma": row["sigma_after"],
            "matches": row["matches"],
            "at": row["at"],
        }
        for row in changes
    ]
    ctx.session.execute(statement.on_conflict_do_update(index_elements=["player_id", "game"], set_=replaced), rows)
