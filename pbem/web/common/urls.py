"""Addresses that pages lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import url_for

from pbem.play.accounts import dashboard
from pbem.web.common.context import service

if TYPE_CHECKING:
    from pbem.db.models import Holder, Match
    from pbem.play.core.context import Context

LONGEST_PATH = 1000


def turn_page(ctx: Context, match: Match, holder: Holder) -> str:
    """Give the address at which a seat may act in the present stage; only for whoever has shown that it is theirs."""
    return url_for("turn.seat", token=dashboard.own_link(ctx, match, holder))


def outside(endpoint: str, **values: Any) -> str:
    """Give the address of a page as programs elsewhere need it, with our host."""
    return f"{service().config.base_url}{url_for(endpoint, **values)}"


def ours(then: str) -> str:
    """Give a path back if it leads to a page of ours, whatever browsers make of it; else nothing."""
    plain = then.isascii() and then.isprintable() and not set(then) & set("\\ ") and len(then) <= LONGEST_PATH
    try:
        split = urlsplit(then)
    except ValueError:
        return ""
    path = split.path
    leads = path.startswith("/") and "//" not in path and not split.scheme and not split.netloc
    return then if plain and leads and not then.startswith("//") else ""


def home() -> str:
    """Give the page that somebody is led to who wanted no other."""
    return url_for("dashboard.mine")
