"""URLs of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import url_for

from pbem.play.accounts import dashboard
from pbem.web.request.context import service

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context

MAX_PATH_LENGTH = 1000


def turn_page(ctx: Context, match: Match, holder: SeatHolder) -> str:
    """Return the URL where a seat may act now; only for a player who has shown that the seat is theirs."""
    return url_for("turn.seat", token=dashboard.link_token(ctx, match, holder))


def absolute_url(endpoint: str, **values: Any) -> str:
    """Return the absolute URL of a page, for programs elsewhere."""
    return f"{service().config.base_url}{url_for(endpoint, **values)}"


def safe_path(then: str) -> str:
    """Return a path if it leads to a page of ours, however browsers read it; else an empty string."""
    plain = then.isascii() and then.isprintable() and not set(then) & set("\\ ") and len(then) <= MAX_PATH_LENGTH
    try:
        split = urlsplit(then)
    except ValueError:
        return ""
    path = split.path
    leads = path.startswith("/") and "//" not in path and not split.scheme and not split.netloc
    return then if plain and leads and not then.startswith("//") else ""


def default_page() -> str:
    """Return the URL of the page after signing in, if no other was wanted."""
    return url_for("dashboard.mine")
