"""Pages to sign in by a mailed link, and to sign out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _, marked
from pbem.play.accounts import guests, login_sessions, sign_in
from pbem.play.core.errors import Refused
from pbem.play.notifications import smtp_status
from pbem.play.players import registry
from pbem.web.common.urls import default_page, safe_path
from pbem.web.request import csrf, current_user, throttling
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


pages = Blueprint("sign_in", __name__)

MAX_LINKS_PER_HOUR = 20
"""Maximum links mailed per hour and network."""

_INVALID_REASONS = {
    sign_in.USED: marked("This link has already been used. Each link works once."),
    sign_in.EXPIRED: marked("This link has expired. Links are valid for {count} minutes."),
}


@pages.get("/sign-in")
def ask() -> str:
    """Show the form for an address to mail a link to."""
    return _address_page(safe_path(request.args.get("then", "")))


@pages.post("/sign-in")
def mail() -> ResponseReturnValue:
    """Mail a link; the response is the same whether the address is known or not."""
    then, typed = safe_path(request.form.get("then", "")), request.form.get("email", "").strip()
    if not csrf.is_valid("sign in"):
        return _address_page(then, typed, _(csrf.OLD_FORM)), 400
    try:
        email = registry.normalise_email(typed)
    except Refused as refused:
        return _address_page(then, typed, str(refused)), 422
    _mail(email, then)
    return redirect(url_for("sign_in.mailed"), 303)


@pages.get("/sign-in/mailed")
def mailed() -> str:
    """Show that a link is on its way."""
    return render_template(
        "account/sign_in_mailed.html", minutes=sign_in.LINK_MINUTES, sender=service().config.service_address
    )


@pages.get("/sign-in/<signed>")
def look(signed: str) -> ResponseReturnValue:
    """Show whom a link signs in, and the button that does it; looking changes nothing."""
    with transaction() as ctx:
        row = sign_in.find_link(ctx, signed)
        state = sign_in.link_state(ctx, row) if row else ""
    if row is None or state != sign_in.OPEN:
        return _invalid_link_page(signed, state)
    return _link_page(signed, row.email)


@pages.post("/sign-in/<signed>")
def use(signed: str) -> ResponseReturnValue:
    """Sign in; a link works once."""
    with transaction() as ctx:
        row = sign_in.find_link(ctx, signed)
        if row and not csrf.is_valid(f"sign in {signed}"):
            return _link_page(signed, row.email, _(csrf.OLD_FORM)), 400
        found = sign_in.redeem(ctx, row) if row else None
        if row is None or found is None:
            return _invalid_link_page(signed, sign_in.link_state(ctx, row) if row else "")
        before = current_user.visitor()
        if before and before.guest:
            # The matches of a guest go with the player who signs in.
            guests.move_matches(ctx, ctx.session.get_one(Player, before.player), found.player, row.email)
        if found.first:
            registry.adopt_zone(found.player, request.form.get("zone", ""))
        session = before.login_session if before else None
        secret = login_sessions.start(ctx, found.player, request.user_agent.string, session)
        then = safe_path(row.redirect_path) or default_page()
    response = redirect(url_for("sign_in.welcome", then=then) if found.first else then, 303)
    current_user.set_cookie(response, secret)
    return response


@pages.post("/sign-in/<signed>/again")
def again(signed: str) -> ResponseReturnValue:
    """Mail a new link to the same address, in place of one that is over."""
    with transaction() as ctx:
        row = sign_in.find_link(ctx, signed)
        state = sign_in.link_state(ctx, row) if row else ""
    if state == sign_in.OPEN:
        # It still works, so no other is mailed.
        return redirect(url_for("sign_in.look", signed=signed), 303)
    if row is None or not csrf.is_valid(f"sign in {signed}"):
        return _invalid_link_page(signed, state)
    _mail(row.email, row.redirect_path)
    return redirect(url_for("sign_in.mailed"), 303)


@pages.get("/welcome")
def welcome() -> str:
    """Show the form for the name of a new player."""
    return _welcome_page(current_user.require().name)


@pages.post("/welcome")
def call() -> ResponseReturnValue:
    """Store the player's name."""
    me = current_user.require()
    typed = request.form.get("name", "")
    if not csrf.is_valid("welcome"):
        return _welcome_page(typed, _(csrf.OLD_FORM)), 400
    try:
        name = registry.normalise_name(typed)
    except Refused as refused:
        return _welcome_page(typed, str(refused)), 422
    with transaction() as ctx:
        ctx.session.get_one(Player, me.player).name = name
    return redirect(safe_path(request.form.get("then", "")) or default_page(), 303)


@pages.post("/sign-out")
def leave() -> ResponseReturnValue:
    """Sign this browser out."""
    response = redirect(url_for("home.first"), 303)
    if me := current_user.visitor():
        if not csrf.is_valid("sign out"):
            return response
        with transaction() as ctx:
            login_sessions.end(ctx, me.login_session)
    current_user.delete_cookie(response)
    return response


def _mail(email: str, then: str) -> None:
    with transaction() as ctx:
        throttling.hit(ctx, *sign_in.limits(email), throttling.per_network("sign in", MAX_LINKS_PER_HOUR))
        sign_in.send_link(ctx, email, then, request.user_agent.string)


def _address_page(then: str, typed: str = "", wrong: str = "") -> str:
    return render_template("account/sign_in.html", then=then, typed=typed, wrong=wrong, home=default_page())


def _link_page(signed: str, email: str, wrong: str = "") -> str:
    return render_template("account/sign_in_link.html", signed=signed, email=smtp_status.redact(email), wrong=wrong)


def _invalid_link_page(signed: str, state: str) -> tuple[str, int]:
    """Render why a link is invalid, with a form for a new one."""
    reason = _(_INVALID_REASONS[state], count=sign_in.LINK_MINUTES) if state else _("This link is not valid.")
    page = render_template(
        "account/sign_in_expired.html", signed=signed, reason=reason, known=bool(state), home=default_page()
    )
    return page, 410 if state else 404


def _welcome_page(typed: str, wrong: str = "") -> str:
    then = safe_path(request.values.get("then", ""))
    return render_template("account/welcome.html", typed=typed, wrong=wrong, then=then, home=then or default_page())
