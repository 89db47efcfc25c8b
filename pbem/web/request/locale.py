"""Language of a page: the one chosen in this browser, else the player's own on a seat's pages, else the browser's."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from flask import g, request, url_for
from flask.globals import request_ctx
from markupsafe import Markup, escape

from pbem import i18n
from pbem.i18n import LANGUAGES, current_locale, use_locale
from pbem.web.request.context import is_https

if TYPE_CHECKING:
    from flask import Flask, Response
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Player

LOCALIZED_TYPES = {"text/html", "application/json", "application/problem+json"}
"""Media types whose content is in a language; the rest is for machines."""

COOKIE = "pbem-language"
COOKIE_SECONDS = 365 * 24 * 3600


def init_app(app: Flask) -> None:
    """Select the language of each request, and name it in the Content-Language header."""

    @app.before_request
    def begin() -> None:
        g.locale_scope = ExitStack()
        use_language(_chosen_language() or _preferred_language())

    @app.after_request
    def set_content_language(response: Response) -> Response:
        if response.mimetype in LOCALIZED_TYPES and not request.path.startswith("/static/"):
            response.headers["Content-Language"] = current_locale()
            response.vary.update(("Accept-Language", "Cookie"))
        return response

    @app.teardown_request
    def end(_error: BaseException | None) -> None:
        g.pop("locale_scope", ExitStack()).close()

    app.jinja_env.globals.update(_=_translate, several=_several, language=current_locale)
    app.jinja_env.globals.update(LANGUAGES=LANGUAGES, here=_current_page)


def use_language_of(player: Player) -> None:
    """Use a player's language for the rest of this request, unless another one was chosen in this browser."""
    if not _chosen_language():
        use_language(player.language)


def use_language(language: str) -> None:
    """Use a language for the rest of this request."""
    g.locale_scope.enter_context(use_locale(language))


def set_cookie(response: BaseResponse, language: str) -> None:
    """Set the cookie of the language that was chosen in this browser."""
    response.set_cookie(
        COOKIE, language, max_age=COOKIE_SECONDS, secure=is_https(), httponly=True, samesite="Lax", path="/"
    )


def _chosen_language() -> str:
    """Return the language that was chosen in this browser; empty if none was."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else ""


def _current_page() -> str:
    """Return the path of the page that is shown, to come back to; after a form its page, or else the home page."""
    if request.method == "GET":
        return request.full_path.rstrip("?")
    adapter = request_ctx.url_adapter
    return request.path if adapter and adapter.test(method="GET") else url_for("home.first")


def _preferred_language() -> str:
    """Return the supported language that the browser prefers, of whatever country; else the default."""
    wanted = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality)
    return next((language for language in wanted if language in LANGUAGES), next(iter(LANGUAGES)))


def _translate(pattern: str, /, **parts: object) -> str:
    """Translate a sentence in a template; parts that are HTML already are not escaped."""
    return Markup(i18n._(pattern, **_escaped(parts))) if parts else i18n._(pattern)  # noqa: S704 -- our own sentences


def _several(one: str, many: str, count: int, /, **parts: object) -> Markup:
    return Markup(i18n.several(one, many, count, **_escaped(parts)))  # noqa: S704 -- our own sentences


def _escaped(parts: dict[str, object]) -> dict[str, object]:
    return {name: escape(part) for name, part in parts.items()}
