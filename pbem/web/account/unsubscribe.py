"""The page to unsubscribe; mail programs and providers post to it with one click (RFC 8058)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, render_template, request

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.matches.views import player_names
from pbem.play.players import preferences, unsubscribes
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.request import csrf
from pbem.web.request.context import transaction
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Token
    from pbem.play.core.context import Context

pages = Blueprint("unsubscribe", __name__)

ALL, UNDO = "all", "undo"
"""Values of the page's other buttons; anything else is the one click."""


@pages.get("/unsubscribe/<token>")
def ask(token: str) -> str:
    """Show the page; nothing happens before its button is pressed."""
    with transaction() as ctx:
        return _page(ctx, _find_token(ctx, token), token)


@pages.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> ResponseReturnValue:
    """Stop mail at once, as providers send neither cookie nor nonce; the other buttons need the page's nonce."""
    action = request.form.get("do", "")
    with transaction() as ctx:
        found = _find_token(ctx, token)
        holders = preferences.affected_holders(ctx, found)
        if action in {ALL, UNDO} and not csrf.is_valid(f"unsubscribe {token}"):
            return _page(ctx, found, token, wrong=_(csrf.OLD_FORM)), 400
        if action == UNDO:
            preferences.resume_mail(ctx, [found.holder, *holders])
        else:
            preferences.stop_mail(ctx, holders)
        if action == ALL:
            unsubscribes.unsubscribe(ctx, found.holder.email)
        return _page(ctx, found, token)


def _find_token(ctx: Context, typed: str) -> Token:
    found = tokens.find_unsubscribe(ctx, typed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    use_language_of(found.holder.player)
    return found


def _page(ctx: Context, found: Token, token: str, wrong: str = "") -> str:
    match, holders = ctx.session.get_one(Match, found.holder.match_id), preferences.affected_holders(ctx, found)
    stopped_all = unsubscribes.is_unsubscribed(ctx, found.holder.email)
    further = [(UNDO, _("Undo: send me mail again"))]
    if not stopped_all:
        further.append((ALL, _("Stop all mail")))
    return render_template(
        "account/unsubscribe.html",
        token=token,
        one=found.kind == tokens.UNSUB,
        game=GAMES[match.game],
        names=player_names(ctx, match),
        email=found.holder.email,
        stopped=all(holder.mail_stopped_at for holder in holders),
        stopped_all=stopped_all,
        further=further,
        wrong=wrong,
    )
