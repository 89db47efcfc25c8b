"""Opening a seat's own link: whose it is, as what it counts, in whose language its pages are, and if mail arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import render_template

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.play.core import tokens
from pbem.web.common import current_user, lookup, mail_banner
from pbem.web.common.appearance import look_as
from pbem.web.common.locale import speak_to

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.core.context import Context


def opened(ctx: Context, typed: str) -> Token:
    """Find what a link stands for; from here on its player's language and looks hold. An unknown one is a 404.

    Who is signed in as its player has, at every link of theirs, what the seat's present one stands for.
    """
    found = lookup.link(ctx, typed)
    speak_to(found.holder.player)
    look_as(found.holder.player)
    visitor = current_user.visitor()
    if visitor is not None and visitor.player == found.holder.player_id and not _acts(ctx, found):
        found = tokens.present_token(ctx, match_of(ctx, found), found.holder)
    mail_banner.tell(ctx, found, typed)
    return found


def match_of(ctx: Context, found: Token) -> Match:
    """Return the match that a link is of."""
    return ctx.session.get_one(Match, found.holder.match_id)


def old_link(match: Match, token: str, **more: Any) -> str:
    """Render what is shown instead of what only a current link may show."""
    return render_template("old_link.html", token=token, game=GAMES[match.game], **more)


def _acts(ctx: Context, found: Token) -> bool:
    return tokens.is_current(ctx, found, match_of(ctx, found))
