"""Resolution of seat links, with the language, the appearance and the mail banner of their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import g, render_template, request

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.play.accounts import guests
from pbem.play.core import tokens
from pbem.states import MatchState
from pbem.web.common import lookup, mail_banner
from pbem.web.common.board_images import use_appearance_of
from pbem.web.request import current_user
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.core.context import Context


def resolve_seat(ctx: Context, typed: str) -> Token:
    """Return the token of a link, and use its player's language and appearance; 404 if it is unknown.

    For the player who is signed in, every link of their seat stands for its present one.
    """
    found = lookup.link(ctx, typed)
    use_language_of(found.holder.player)
    use_appearance_of(found.holder.player)
    visitor, match = current_user.visitor(), match_of(ctx, found)
    if visitor and visitor.player == found.holder.player_id and not tokens.is_current(ctx, found, match):
        found = tokens.current_token(ctx, match, found.holder)
    mail_banner.prepare(ctx, found, typed)
    asks = request.method == "GET" and request.endpoint != "guests.address" and tokens.is_current(ctx, found, match)
    if asks and guests.may_be_asked(ctx, found.holder):
        g.guest_offer = typed
    return found


def find_seat(ctx: Context, typed: str) -> tuple[Token, Match]:
    """Return the token of a link as `resolve_seat` does, and its match."""
    found = resolve_seat(ctx, typed)
    return found, match_of(ctx, found)


def can_act(ctx: Context, found: Token, match: Match) -> bool:
    """Return whether a link is current and its match is running."""
    return match.state == MatchState.RUNNING and tokens.is_current(ctx, found, match)


def match_of(ctx: Context, found: Token) -> Match:
    """Return the match of a link."""
    return ctx.session.get_one(Match, found.holder.match_id)


def render_old_link(match: Match, token: str, **more: Any) -> str:
    """Render the page of a link that is no longer current."""
    return render_template("common/old_link.html", token=token, game=GAMES[match.game], **more)
