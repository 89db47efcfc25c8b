"""Who visits a page: the player who is signed in, if any, by a cookie of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import abort, g, redirect, request, url_for

from pbem.play.accounts import login_sessions
from pbem.play.core.context import read_only
from pbem.web.common.context import service
from pbem.web.common.locale import speak_in

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import Visitor

KEPT_SECONDS = login_sessions.IDLE_DAYS * 24 * 3600
"""How long a browser keeps the cookie."""


def welcome(app: Flask) -> None:
    """Find out, before each page, who is signed in, and speak their language."""

    @app.before_request
    def recognise() -> None:
        g.visitor = None
        secret = request.cookies.get(cookie_name())
        if secret and not request.path.startswith(("/static/", "/api/")):
            with read_only(service().engine, service().config) as ctx:
                g.visitor = login_sessions.visitor(ctx, secret)
        if g.visitor:
            speak_in(g.visitor.language)

    @app.context_processor
    def on_every_page() -> dict[str, Visitor | None]:
        return {"visitor": visitor()}


def visitor() -> Visitor | None:
    """Give who is signed in, if anybody."""
    found: Visitor | None = g.get("visitor")
    return found


def needed() -> Visitor:
    """Give who is signed in, or lead to the page for signing in and back here."""
    found = visitor()
    if found is None:
        then = request.full_path.rstrip("?") if request.method == "GET" else url_for("home.first")
        abort(redirect(url_for("sign_in.ask", then=then), 303))
    return found


def remember(response: BaseResponse, secret: str) -> None:
    """Have a browser keep that somebody is signed in."""
    response.set_cookie(
        cookie_name(), secret, max_age=KEPT_SECONDS, secure=_secure(), httponly=True, samesite="Lax", path="/"
    )


def forget(response: BaseResponse) -> None:
    """Have a browser forget who was signed in."""
    response.delete_cookie(cookie_name(), secure=_secure(), httponly=True, samesite="Lax", path="/")


def cookie_name() -> str:
    """Name the cookie; where it can, the name itself has browsers keep it to this host and to TLS."""
    return "__Host-pbem" if _secure() else "pbem"


def _secure() -> bool:
    return urlsplit(service().config.base_url).scheme == "https"
