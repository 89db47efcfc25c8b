"""The page where a player makes keys for programs, and ends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.play import api_keys
from pbem.play.finding import paging
from pbem.web import forms, visiting
from pbem.web.here import here, table
from pbem.words import _, marked

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.table import Table
    from pbem.play.visits import Visitor

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("keys", __name__)

SCOPES = {
    api_keys.READ: marked("See my matches, with what I hold"),
    api_keys.PLAY: marked("Move in my matches"),
    api_keys.START: marked("Make matches in my name"),
}


@pages.get("/me/keys")
def keys() -> str:
    """List the keys, and offer to make one."""
    me = visiting.needed()
    with table() as at:
        return _page(at, me, ended="ended" in request.args)


@pages.post("/me/keys")
def make() -> Page:
    """Make a key, which is shown this once."""
    me = visiting.needed()
    with table() as at:
        if not forms.is_ours("make a key"):
            return _page(at, me, wrong=_(forms.OLD_FORM)), 400
        try:
            secret = api_keys.make(at, me.player, request.form.get("name", ""), request.form.getlist("scope"))
        except api_keys.KeyRefusedError as refused:
            return _page(at, me, wrong=str(refused)), 422
        return _page(at, me, secret=secret)


@pages.post("/me/keys/end")
def end() -> Page:
    """End a key."""
    me = visiting.needed()
    number = paging.number(request.form.get("key", ""))
    with table() as at:
        if not forms.is_ours("end a key") or number is None:
            return _page(at, me, wrong=_(forms.OLD_FORM)), 400
        api_keys.end(at, me.player, number)
    return redirect(url_for("keys.keys", ended=1), 303)


def _page(at: Table, me: Visitor, wrong: str = "", secret: str = "", *, ended: bool = False) -> str:
    return render_template(
        "keys.html",
        keys=api_keys.present(at, me.player),
        scopes=SCOPES,
        zone=me.zone,
        typed=request.form if wrong else {},
        chosen=request.form.getlist("scope") if wrong else [api_keys.READ],
        wrong=wrong,
        secret=secret,
        ended=ended,
        base_url=here().config.base_url,
    )
