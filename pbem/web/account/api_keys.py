"""The page to create and revoke API keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.i18n import _, marked
from pbem.play.accounts import api_keys
from pbem.play.core.errors import Refused
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context


pages = Blueprint("api_keys", __name__)

SCOPE_LABELS = {
    api_keys.READ: marked("View my matches, including my hand"),
    api_keys.PLAY: marked("Play my matches: accept, move, make offers, chat, resign"),
    api_keys.START: marked("Start and join matches in my name"),
}


@pages.get("/me/keys")
def keys() -> str:
    """List the API keys, with a form to create one."""
    me = current_user.require()
    with transaction() as ctx:
        return _page(ctx, me, ended="ended" in request.args)


@pages.post("/me/keys")
def make() -> ResponseReturnValue:
    """Create an API key, which is shown only once."""
    me = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("make a key"):
            return _page(ctx, me, wrong=_(csrf.OLD_FORM)), 400
        try:
            secret = api_keys.create(ctx, me.player, request.form.get("name", ""), request.form.getlist("scope"))
        except Refused as refused:
            return _page(ctx, me, wrong=str(refused)), 422
        return _page(ctx, me, secret=secret)


@pages.post("/me/keys/end")
def end() -> ResponseReturnValue:
    """Revoke an API key."""
    me = current_user.require()
    number = form_fields.parse_number(request.form.get("key"), form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        if not csrf.is_valid("end a key") or number is None:
            return _page(ctx, me, wrong=_(csrf.OLD_FORM)), 400
        api_keys.revoke(ctx, me.player, number)
    return redirect(url_for("api_keys.keys", ended=1), 303)


def _page(ctx: Context, me: CurrentUser, wrong: str = "", secret: str = "", *, ended: bool = False) -> str:
    return render_template(
        "account/api_keys.html",
        keys=api_keys.active(ctx, me.player),
        scopes=SCOPE_LABELS,
        zone=me.zone,
        typed=request.form if wrong else {},
        chosen=request.form.getlist("scope") if wrong else [api_keys.READ],
        wrong=wrong,
        secret=secret,
        ended=ended,
        base_url=service().config.base_url,
    )
