"""Seats that API calls act for: by the key of their player, or by the token of a mailed link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Match
from pbem.i18n import marked
from pbem.play.core import tokens
from pbem.play.moderation import bans
from pbem.states import MatchState
from pbem.web.api import auth
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.request.errors import refuse

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.core.context import Context

CALLED_OFF = marked("This match was called off before it began.")
NOT_BEGUN = marked("The match has not begun.")
OVER = marked("The match is over.")


def by_key(ctx: Context, match_id: str, scope: str) -> tuple[Token, Match]:
    """Return the present link of the caller's seat in a match, and the match."""
    holder = lookup.own_seat(ctx, match_id, auth.require(ctx, scope).player.id)
    match = ctx.session.get_one(Match, match_id)
    return tokens.current_token(ctx, match, holder), match


def by_token(ctx: Context, typed: str) -> tuple[Token, Match]:
    """Return the link with a token, and its match; 404 unless it may act for its seat now."""
    found, match = lookup.link_and_match(ctx, typed)
    bans.check_not_banned(ctx, found.holder.player)
    if not tokens.is_current(ctx, found, match):
        refuse(404, UNKNOWN_LINK)
    return found, match


def require_begun(match: Match) -> None:
    """Refuse with 409 what needs a match that has begun."""
    if match.seed is None:
        is_over = match.state == MatchState.OVER
        refuse(409, CALLED_OFF if is_over else NOT_BEGUN, code="called-off" if is_over else "not-begun")


def require_running(match: Match) -> None:
    """Refuse with 409 what needs a running match."""
    require_begun(match)
    if match.state != MatchState.RUNNING:
        refuse(409, OVER, code="match-over")
