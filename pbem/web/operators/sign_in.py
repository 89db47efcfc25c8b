"""Second factor of operators: signing in by a code or a passkey, and setting these up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, g, redirect, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import TooManyRequests

from pbem.play.accounts import passkeys
from pbem.play.core import rate_limits
from pbem.play.core.actors import OPERATOR
from pbem.play.core.errors import Refused
from pbem.play.operators import audit, totp
from pbem.play.operators import second_factor as factors
from pbem.web.common import operator_session, webauthn
from pbem.web.common.urls import safe_path
from pbem.web.operators.access import actor, me, pages, render_page, sudo_session
from pbem.web.request import csrf
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Operator
    from pbem.play.core.context import Context


PURPOSE = "enter as an operator"
WRONG_CODE = "This code is wrong, expired or already used. Wait for the next one and try again."
SIGN_IN_AGAIN = "Sign out and in again first. You then have 15 minutes to do this."
LAST_FACTOR = "Create a passkey first: without codes you would have no second factor."


@pages.get("/enter")
def enter() -> ResponseReturnValue:
    """Show the form for the second factor."""
    with transaction() as ctx:
        if not factors.has_factor(ctx, _operator(ctx)):
            return redirect(url_for("operators.second_factor"), 303)
        return _enter_page(ctx)


@pages.post("/enter")
def show_code() -> ResponseReturnValue:
    """Start an operator session by a code."""
    with transaction() as ctx:
        if not csrf.is_valid(PURPOSE):
            return _enter_page(ctx, csrf.OLD_FORM), 400
        _count_attempt(ctx)
    with transaction() as ctx:
        operator = _operator(ctx)
        if not totp.verify(ctx, operator, request.form.get("code", "")):
            return _enter_page(ctx, WRONG_CODE), 422
        return _start_session(ctx, operator, "code")


@pages.post("/enter/passkey/options")
def passkey_options() -> Response:
    """Return the options for the browser to use a passkey."""
    with transaction() as ctx:
        challenge = ctx.draw(passkeys.CHALLENGE_BYTES)
    return webauthn.challenge_response(
        passkeys.authentication_options(service().config, challenge, verified=True), PURPOSE, challenge
    )


@pages.post("/enter/passkey")
def show_passkey() -> ResponseReturnValue:
    """Start an operator session by a passkey."""
    with transaction() as ctx:
        if not csrf.is_valid(PURPOSE):
            return _enter_page(ctx, csrf.OLD_FORM), 400
        _count_attempt(ctx)
    try:
        with transaction() as ctx:
            operator = _operator(ctx)
            factors.check_passkey(ctx, operator, webauthn.parse_answer(PURPOSE))
            response = _start_session(ctx, operator, "passkey")
    except Refused as refused:
        with transaction() as ctx:
            return _enter_page(ctx, str(refused)), 422
    response.delete_cookie(webauthn.COOKIE)
    return response


@pages.post("/leave")
def leave() -> ResponseReturnValue:
    """End the operator session; the operator stays signed in as a player."""
    if not csrf.is_valid("leave the operators' pages"):
        return redirect(url_for("operators.overview"), 303)
    g.entry = None
    response = redirect(url_for("home.first"), 303)
    operator_session.delete_cookie(response)
    return response


@pages.get("/second-factor")
def second_factor() -> ResponseReturnValue:
    """Show the operator's second factors, and set up what is missing."""
    with transaction() as ctx:
        return _factors_page(ctx)


@pages.post("/second-factor")
def change_second_factor() -> ResponseReturnValue:
    """Create, confirm or remove the secret of codes."""
    action = request.form.get("do", "")
    with transaction() as ctx:
        operator = _operator(ctx)
        if not csrf.is_valid("second factor"):
            return _factors_page(ctx, csrf.OLD_FORM), 400
        if not factors.may_change(ctx, operator, me().login_session, sudo_session()):
            return _factors_page(ctx, SIGN_IN_AGAIN), 403
        if action == "remove" and not factors.has_passkey(ctx, operator.player_id):
            return _factors_page(ctx, LAST_FACTOR), 422
        if action == "remove":
            totp.remove(operator)
            audit.write(ctx, actor(), "forget own codes", (OPERATOR, str(operator.id)), "", {})
        elif action == "begin" and operator.totp_confirmed_at is None:
            totp.enroll(ctx, operator)
        if action == "confirm":
            _count_attempt(ctx)
    if action != "confirm":
        return redirect(url_for("operators.second_factor"), 303)
    with transaction() as ctx:
        operator = _operator(ctx)
        if not totp.confirm(ctx, operator, request.form.get("code", "")):
            return _factors_page(ctx, WRONG_CODE), 422
        return _start_session(ctx, operator, "new codes")


def _start_session(ctx: Context, operator: Operator, by: str) -> BaseResponse:
    """Start an operator session, log it, and redirect to the page that was requested."""
    audit.write(ctx, actor(), "enter", (OPERATOR, str(operator.id)), "", {"by": by})
    g.entry = factors.start(ctx, operator, me().login_session)
    return redirect(safe_path(request.form.get("then", "")) or url_for("operators.overview"), 303)


def _operator(ctx: Context) -> Operator:
    found = factors.find_operator(ctx, me().player)
    if found is None:
        raise LookupError("the signed-in player is no longer an operator")
    return found


def _count_attempt(ctx: Context) -> None:
    """Count an attempt, right or wrong, even on a service without other limits."""
    again = rate_limits.hit(ctx, *factors.limits(_operator(ctx)))
    if again is not None:
        seconds = max(1, int((again - ctx.now).total_seconds()) + 1)
        raise TooManyRequests("Too many attempts to enter a second factor. Try again later.", retry_after=seconds)


def _enter_page(ctx: Context, wrong: str = "") -> str:
    operator = _operator(ctx)
    return render_page(
        "enter.html",
        wrong=wrong,
        then=safe_path(request.values.get("then", "")),
        by_code=operator.totp_confirmed_at is not None,
        by_passkey=factors.has_passkey(ctx, operator.player_id) and passkeys.is_available(ctx.config),
        purpose=PURPOSE,
    )


def _factors_page(ctx: Context, wrong: str = "") -> str:
    operator = _operator(ctx)
    may = factors.may_change(ctx, operator, me().login_session, sudo_session())
    begun = operator.totp_secret is not None and operator.totp_confirmed_at is None
    # The secret is shown only to an operator who may use it.
    secret = totp.decrypt_secret(ctx.config, operator) if begun and may else None
    return render_page(
        "second_factor.html",
        wrong=wrong,
        may=may,
        inside=sudo_session() is not None,
        since=operator.totp_confirmed_at,
        secret=secret,
        drawn=Markup(totp.qr_code(ctx.config, operator, secret)) if secret else "",  # noqa: S704 -- drawn here
        by_passkey=factors.has_passkey(ctx, operator.player_id),
        possible=passkeys.is_available(ctx.config),
    )
