"""Stopping mail with one click, as mail programs and providers do it, and with a button for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, render_template, request

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.matches.views import names_of
from pbem.play.players import preferences, unsubscribes
from pbem.web.common import csrf
from pbem.web.common.context import table
from pbem.web.common.locale import speak_to
from pbem.web.common.messages import UNKNOWN_LINK

if TYPE_CHECKING:
    from pbem.db.models import Token
    from pbem.play.core.context import Table

pages = Blueprint("unsubscribe", __name__)

ALL, UNDO = "all", "undo"
"""What the page's further buttons send; anything else is the one click."""


@pages.get("/unsubscribe/<token>")
def ask(token: str) -> str:
    """Show the button; nothing happens before it is pressed."""
    with table() as at:
        return _page(at, _found(at, token), token)


@pages.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> str | tuple[str, int]:
    """Stop mail at once, since providers send neither cookie nor nonce; what else may be wished needs the page."""
    wish = request.form.get("do", "")
    with table() as at:
        found = _found(at, token)
        holders = preferences.meant(at, found)
        if wish in {ALL, UNDO} and not csrf.is_ours(f"unsubscribe {token}"):
            return _page(at, found, token, wrong=_(csrf.OLD_FORM)), 400
        if wish == UNDO:
            preferences.resume(at, [found.holder, *holders])
        else:
            preferences.stop(at, holders)
        if wish == ALL:
            unsubscribes.unsubscribe(at, found.holder.email)
        return _page(at, found, token)


def _found(at: Table, typed: str) -> Token:
    found = tokens.find_unsubscribing(at, typed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    speak_to(found.holder.player)
    return found


def _page(at: Table, found: Token, token: str, wrong: str = "") -> str:
    match, holders = at.session.get_one(Match, found.holder.match_id), preferences.meant(at, found)
    stopped_all = unsubscribes.unsubscribed(at, found.holder.email)
    further = [(UNDO, _("Undo: send me mail again"))]
    if not stopped_all:
        further.append((ALL, _("Stop all mail from here")))
    return render_template(
        "unsubscribe.html",
        token=token,
        one=found.kind == tokens.UNSUB,
        game=GAMES[match.game],
        names=names_of(at, match),
        email=found.holder.email,
        stopped=all(holder.mail_stopped_at for holder in holders),
        stopped_all=stopped_all,
        further=further,
        wrong=wrong,
    )
