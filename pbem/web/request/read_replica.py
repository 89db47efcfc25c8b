"""Pages that may be read from a replica of the database; a browser that has acted reads the primary."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from flask import g, request
from sqlalchemy import select

from pbem.db.models import Match
from pbem.states import MatchState
from pbem.web.request.context import ENGINE, is_https, service

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Response
    from sqlalchemy import Engine

ViewParams = ParamSpec("ViewParams")
Page = TypeVar("Page")

ACTED_COOKIE = "pbem-acted"
"""Cookie of a browser that has acted."""
ACTED_SECONDS = 600
"""Seconds for which it reads the primary: much longer than a replica may lag, and a worker take to judge."""
_SAFE_METHODS = {"GET", "HEAD"}


def may_use_replica(view: Callable[ViewParams, Page]) -> Callable[ViewParams, Page]:
    """Read a page from the replica while that is fresh; the page of a match only if the match is over there.

    A running match is read from the primary, since its players must see its current state; so is an unknown one.
    """

    @wraps(view)
    def read(*args: ViewParams.args, **kwargs: ViewParams.kwargs) -> Page:
        replica = service().replica
        if replica is None or request.method not in _SAFE_METHODS or ACTED_COOKIE in request.cookies:
            return view(*args, **kwargs)
        match_id = kwargs.get("match_id")
        has = partial(_is_over, str(match_id)) if match_id is not None else None
        return replica.read(partial(_with_engine, lambda: view(*args, **kwargs)), has)

    return read


def _with_engine(view: Callable[[], Page], engine: Engine) -> Page:
    setattr(g, ENGINE, engine)
    try:
        return view()
    finally:
        g.pop(ENGINE)


def _is_over(match_id: str, engine: Engine) -> bool:
    with engine.connect() as connection:
        return connection.scalar(select(Match.state).where(Match.id == match_id)) == MatchState.OVER


def init_app(app: Flask) -> None:
    """Mark browsers that act, or that play by a seat's link."""

    @app.after_request
    def set_cookie(response: Response) -> Response:
        acts = request.method not in _SAFE_METHODS or request.path.startswith("/m/")
        if acts and service().replica is not None:
            response.set_cookie(
                ACTED_COOKIE, "1", max_age=ACTED_SECONDS, secure=is_https(), httponly=True, samesite="Lax"
            )
        return response
