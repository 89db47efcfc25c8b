"""The signed-in player, identified by a cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, g, redirect, request, url_for

from pbem.play.accounts import login_sessions
from pbem.play.core.context import read_only
from pbem.web.request import held_seats
from pbem.web.request.context import is_https, service
from pbem.web.request.locale import use_language

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import CurrentUser


def init_app(app: Flask) -> None:
    """Identify the signed-in player before each page, and select their language."""

    @app.before_request
    def identify() -> None:
        g.visitor = None
        secret = request.cookies.get(cookie_name())
        if secret and not request.path.startswith(("/static/", "/api/")):
            with read_only(service().engine, service().config) as ctx:
                g.visitor = login_sessions.current_user(ctx, secret)
        if g.visitor:
            use_language(g.visitor.language)

    @app.context_processor
    def visitor_in_templates() -> dict[str, CurrentUser | None]:
        return {"visitor": visitor()}


def visitor() -> CurrentUser | None:
    """Return the signed-in player, if any."""
    found: CurrentUser | None = g.get("visitor")
    return found


def player_id() -> int | None:
    """Return the id of the signed-in player, if any."""
    found = visitor()
    return found.player if found else None


def require() -> CurrentUser:
    """Return the signed-in player, or redirect to the sign-in page, which leads back to a page that was being read."""
    found = visitor()
    if found is None:
        then = request.full_path.rstrip("?") if request.method == "GET" else url_for("home.first")
        abort(redirect(url_for("sign_in.ask", then=then), 303))
    return found


def set_cookie(response: BaseResponse, secret: str) -> None:
    """Set the cookie of a login session; the browser no longer holds the seats that were played in it before."""
    held_seats.delete_cookie(response)
    seconds = login_sessions.IDLE_DAYS * 24 * 3600
    response.set_cookie(
        cookie_name(), secret, max_age=seconds, secure=is_https(), httponly=True, samesite="Lax", path="/"
    )


def delete_cookie(response: BaseResponse) -> None:
    """Delete the cookie of the login session, and that of the seats that the browser holds."""
    held_seats.delete_cookie(response)
    response.delete_cookie(cookie_name(), secure=is_https(), httponly=True, samesite="Lax", path="/")


def cookie_name() -> str:
    """Return the name of the cookie. With HTTPS its prefix restricts it to this host and to TLS."""
    return "__Host-pbem" if is_https() else "pbem"
