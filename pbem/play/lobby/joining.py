"""Joining an open table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match
from pbem.i18n import _, marked
from pbem.play.core.errors import Code, Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, blocked_until, hit
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import open_tables
from pbem.play.players import registry
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player, SeatHolder
    from pbem.play.core.context import Context

MAX_JOINS_PER_DAY = 20
"""Maximum tables that a player may join per day."""
LIMIT_REACHED = marked("You joined {count} tables today. Try again tomorrow.")


def join(ctx: Context, match: Match, player: Player, text: str = "", mail: str | None = None) -> SeatHolder:
    """Seat a player at an open seat of a match, who thereby accepts; raises Refused with a sentence if refused."""
    allowed = Limit("table joined", str(player.id), MAX_JOINS_PER_DAY, SECONDS_PER_DAY)
    if blocked_until(ctx, allowed):
        raise Refused(_(LIMIT_REACHED, count=MAX_JOINS_PER_DAY), code=Code.DAILY_LIMIT)
    holder = acceptance.take_seat(ctx, match, player, registry.verified_address(ctx, player), player.name, text, mail)
    hit(ctx, allowed)
    return holder


def find_replacement(ctx: Context, match: Match, reader: int | None) -> Match | None:
    """Return the latest match that replaced one that was cancelled before it started, or None; also if it is hidden."""
    newest: Match | None = None
    found: Match | None = match
    while found and found.state == MatchState.OVER and found.seed is None:
        following = select(Match).where(Match.previous_match_id == found.id).order_by(Match.created_at).limit(1)
        found = ctx.session.scalar(following)
        newest = found or newest
    return None if newest and open_tables.is_hidden(ctx, newest, reader) else newest
