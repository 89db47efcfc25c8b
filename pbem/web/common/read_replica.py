"""Pages that may be read from a copy of the database, where there is one; whoever acts reads the original."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from flask import g, request
from werkzeug.exceptions import NotFound

from pbem.states import MatchState
from pbem.web.common.context import ENGINE, service

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from sqlalchemy import Engine

    from pbem.db.models import Match

Asked = ParamSpec("Asked")
Page = TypeVar("Page")

ACTED = "pbem-acted"
"""The cookie of a browser that has acted."""
ACTED_SECONDS = 600
"""For so long it reads the original: much longer than a copy may be behind, and a worker take to judge."""
_ASKING = {"GET", "HEAD"}


class RunningError(Exception):
    """Says that a page is about a match that runs: its people are shown how it stands now."""


def may_be_older(view: Callable[Asked, Page]) -> Callable[Asked, Page]:
    """Have a page read from the copy where that is fresh; what is not there yet is looked for in the original."""

    @wraps(view)
    def read(*asked: Asked.args, **named: Asked.kwargs) -> Page:
        replica = service().replica
        if replica is None or request.method not in _ASKING or ACTED in request.cookies:
            return view(*asked, **named)
        return replica.read(partial(_from, lambda: view(*asked, **named)), NotFound, RunningError)

    return read


def _from(view: Callable[[], Page], engine: Engine) -> Page:
    setattr(g, ENGINE, engine)
    try:
        return view()
    finally:
        g.pop(ENGINE)


def settled(match: Match) -> None:
    """Go on only with a match that is over, where the copy is read: one that runs is read from the original."""
    if match.state != MatchState.OVER and g.get(ENGINE, service().engine) is not service().engine:
        raise RunningError


def watch(app: Flask) -> None:
    """Note in a browser that somebody acts with it, or plays by the link of a seat."""

    @app.after_request
    def note(response: Response) -> Response:
        acts = request.method not in _ASKING or request.path.startswith("/m/")
        if acts and service().replica is not None:
            secure = service().config.base_url.startswith("https:")
            response.set_cookie(ACTED, "1", max_age=ACTED_SECONDS, secure=secure, httponly=True, samesite="Lax")
        return response
