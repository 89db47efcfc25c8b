"""The language switch at the foot of each page: a setting of the player, or a cookie of the visitor's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, request, url_for

from pbem.db.models import Player
from pbem.i18n import LANGUAGES
from pbem.web.common.urls import safe_path
from pbem.web.request import csrf, current_user, locale
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("language", __name__)


@pages.post("/language")
def choose() -> BaseResponse:
    """Store the chosen language, and return to the page that was being read."""
    response = redirect(safe_path(request.form.get("then", "")) or url_for("home.first"), 303)
    language = request.form.get("language", "")
    me = current_user.visitor()
    # The form of a visitor who is not signed in changes nothing but a cookie.
    if language not in LANGUAGES or not (csrf.is_valid("language") if me else csrf.is_same_site()):
        return response
    locale.set_cookie(response, language)
    if me:
        with transaction() as ctx:
            ctx.session.get_one(Player, me.player).language = language
    return response
