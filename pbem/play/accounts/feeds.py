"""Feeds: private URLs at which programs read which matches wait for a player, and by when.

Such a URL is read-only: nobody can play by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Feed, Player
from pbem.play.accounts import dashboard
from pbem.play.core import tokens as core_tokens

if TYPE_CHECKING:
    from pbem.play.accounts.dashboard import MatchSummary
    from pbem.play.core.context import Context

TOKEN_KIND = "feed"  # noqa: S105 -- a word of the database
"""Token kind of a player's feeds of one generation."""

_OWN_FEEDS = select(Player, Feed.hash).join(Feed, Feed.player_id == Player.id).where(Player.id == bindparam("player"))


def current_token(ctx: Context, player_id: int) -> str | None:
    """Return the token of a player's feeds; None if they have none, or its key is no longer configured."""
    rows = ctx.session.execute(_OWN_FEEDS, {"player": player_id}).all()
    known, owners = {row.hash for row in rows}, {row.Player for row in rows}
    tokens = (_derive_token(secret, owner) for secret in reversed(ctx.config.secret_keys) for owner in owners)
    return next((token for token in tokens if core_tokens.hash_token(token) in known), None)


def renew(ctx: Context, player_id: int) -> None:
    """Create new private URLs for a player's feeds; the earlier ones stop working."""
    player = ctx.session.get_one(Player, player_id, with_for_update=True, populate_existing=True)
    if ctx.session.execute(delete(Feed).where(Feed.player_id == player.id)).rowcount:  # type: ignore[attr-defined]
        player.feed_generation += 1
    token = _derive_token(ctx.config.secret_keys[-1], player)
    feed = {"hash": core_tokens.hash_token(token), "player_id": player.id, "generation": player.feed_generation}
    ctx.session.execute(insert(Feed).values(feed).on_conflict_do_nothing())


def find_owner(ctx: Context, typed: str) -> Player | None:
    """Return the player whose feeds a token opens; None if it is unknown or replaced, or its key or player is gone."""
    same = (
        Feed.hash == core_tokens.hash_token(core_tokens.normalise(typed) or ""),
        Feed.generation == Player.feed_generation,
    )
    owner = select(Player).join(Feed, Feed.player_id == Player.id).where(*same, Player.deleted_at.is_(None))
    found = ctx.session.scalar(owner)
    ours = found is not None and core_tokens.is_genuine(ctx, typed, TOKEN_KIND, found.id, found.feed_generation)
    return found if ours else None


def load_matches(ctx: Context, player: Player) -> tuple[list[MatchSummary], list[MatchSummary]]:
    """Return the content of the feeds: a player's unfinished matches, and their last finished ones."""
    present, over = dashboard.overview(ctx, player.id)
    return present, over[: dashboard.FINISHED_PER_PAGE]


def _derive_token(secret: str, player: Player) -> str:
    return core_tokens.derive(secret, TOKEN_KIND, player.id, player.feed_generation)
