"""Pages to create and remove passkeys, and to sign in by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.accounts import login_sessions, passkeys, user_agents
from pbem.play.core.errors import Refused
from pbem.play.moderation.bans import BannedError
from pbem.web.common import operator_session, webauthn
from pbem.web.common.urls import default_page, safe_path
from pbem.web.request import csrf, current_user, throttling
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask import Response
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context


pages = Blueprint("passkeys", __name__)

MAX_TRIES_PER_HOUR = 60
"""Maximum attempts to sign in by a passkey per network and hour."""
SECOND_FACTOR_REQUIRED = (
    "You are an operator, and your passkeys open the operators’ pages. Enter these pages with your second factor "
    "first, or sign out and in again if you have none yet."
)
"""In English only, like those pages."""
_CREATE, _SIGN_IN = "make", "sign in"


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add `passkeys_possible` to all templates: passkeys can be used here."""
    return {"passkeys_possible": passkeys.is_available(service().config)}


@pages.get("/me/passkeys")
def mine() -> ResponseReturnValue:
    """List the player's passkeys."""
    with transaction() as ctx:
        return _page(ctx, current_user.require())


@pages.post("/me/passkeys/options")
def to_make() -> Response:
    """Return the options for the browser to create a passkey."""
    signed_in = current_user.visitor()
    if signed_in is None:
        abort(403)
    with transaction() as ctx:
        challenge = ctx.draw(passkeys.CHALLENGE_BYTES)
        options = passkeys.registration_options(ctx, ctx.session.get_one(Player, signed_in.player), challenge)
    return webauthn.challenge_response(options, _CREATE, challenge)


@pages.post("/me/passkeys")
def change() -> ResponseReturnValue:
    """Store a new passkey, or remove one."""
    signed_in, form = current_user.require(), request.form
    with transaction() as ctx:
        if not csrf.is_valid("my passkeys"):
            return _page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if not operator_session.may_change(ctx, signed_in):
            return _page(ctx, signed_in, SECOND_FACTOR_REQUIRED), 403
    response = redirect(url_for("passkeys.mine", kept=1), 303)
    try:
        with transaction() as ctx:
            player = ctx.session.get_one(Player, signed_in.player)
            if form.get("do") == "remove":
                passkeys.remove(ctx, player, form.get("passkey", ""))
                return response
            name = form.get("name", "").strip() or user_agents.describe(request.user_agent.string)
            passkeys.register(ctx, player, webauthn.parse_answer(_CREATE), name)
    except Refused as refused:
        with transaction() as ctx:
            return _page(ctx, signed_in, str(refused)), 422
    response.delete_cookie(webauthn.COOKIE)
    return response


@pages.post("/sign-in/passkey/options")
def to_sign_in() -> Response:
    """Return the options for the browser to sign a player in."""
    with transaction() as ctx:
        throttling.hit(ctx, throttling.per_network("passkey", MAX_TRIES_PER_HOUR))
        challenge = ctx.draw(passkeys.CHALLENGE_BYTES)
    return webauthn.challenge_response(
        passkeys.authentication_options(service().config, challenge), _SIGN_IN, challenge
    )


@pages.post("/sign-in/passkey")
def sign_in() -> ResponseReturnValue:
    """Sign a player in by a passkey."""
    then = safe_path(request.form.get("then", ""))
    if not csrf.is_valid("passkey"):
        return _refused(then, _(csrf.OLD_FORM), 400)
    try:
        with transaction() as ctx:
            player = passkeys.authenticate(ctx, webauthn.parse_answer(_SIGN_IN))
            before = current_user.visitor()
            secret = login_sessions.start(
                ctx, player, request.user_agent.string, before.login_session if before else None
            )
    except BannedError:
        raise
    except Refused as refused:
        return _refused(then, str(refused), 422)
    response = redirect(then or default_page(), 303)
    current_user.set_cookie(response, secret)
    response.delete_cookie(webauthn.COOKIE)
    return response


def _page(ctx: Context, signed_in: CurrentUser, wrong: str = "") -> str:
    return render_template(
        "account/passkeys.html",
        passkeys=passkeys.registered(ctx, ctx.session.get_one(Player, signed_in.player)),
        zone=signed_in.zone,
        kept="kept" in request.args,
        wrong=wrong,
    )


def _refused(then: str, wrong: str, status: int) -> tuple[str, int]:
    page = render_template(
        "account/sign_in.html", then=then, typed="", wrong="", passkey_wrong=wrong, home=default_page()
    )
    return page, status
