"""The seats that a browser holds: it has acted for them by a current link, and a signed cookie says so.

A seat's links that were mailed before it last moved do not act. In a browser that holds the seat they stand for its
present link, as they do for its player who is signed in. Opening a link sets no cookie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import g, request
from itsdangerous import BadSignature, URLSafeSerializer

from pbem.web.request.context import is_https, service

if TYPE_CHECKING:
    from datetime import datetime

    from flask import Flask, Response
    from werkzeug import Response as BaseResponse

    from pbem.db.models import SeatHolder

MAX_SEATS = 20
"""Maximum seats in the cookie; the one for which the browser has not acted longest makes room."""
VALID_DAYS = 30
"""Days for which a browser holds a seat after it has acted for it."""

_SALT = "pbem held seats"
_ACTED = "seats_acted_for"
"""Key in `flask.g` of the seats for which this request has acted."""
_FIRST_ERROR_STATUS = 400


class HeldSeat(NamedTuple):
    """A seat's holder, the generation of their links, and when the browser last acted for them, in seconds."""

    holder: int
    generation: int
    acted_at: int


def init_app(app: Flask) -> None:
    """Set the cookie after a request that has acted for a seat."""

    @app.after_request
    def set_cookie(response: Response) -> Response:
        acted: list[HeldSeat] = g.get(_ACTED, [])
        if acted and response.status_code < _FIRST_ERROR_STATUS:
            others = [one for one in _in_cookie() if one.holder not in {seat.holder for seat in acted}]
            response.set_cookie(
                cookie_name(),
                _signer().dumps([*acted, *others][:MAX_SEATS]),
                max_age=VALID_DAYS * 24 * 3600,
                secure=is_https(),
                httponly=True,
                samesite="Lax",
                path="/",
            )
        return response


def are_any() -> bool:
    """Return whether the browser holds any seat, renewed and left ones included."""
    return bool(_in_cookie())


def contains(holder: SeatHolder, now: datetime) -> bool:
    """Return whether the browser holds a seat; not if its links were renewed or its player has left it since."""
    since = now.timestamp() - VALID_DAYS * 24 * 3600
    known = any(one[:2] == (holder.id, holder.generation) and one.acted_at > since for one in _in_cookie())
    return known and holder.left_at is None


def add(holder: SeatHolder, now: datetime) -> None:
    """Record that the browser holds a seat for which this request has acted by a current link."""
    g.setdefault(_ACTED, []).insert(0, HeldSeat(holder.id, holder.generation, int(now.timestamp())))


def delete_cookie(response: BaseResponse) -> None:
    """Delete the cookie, if the browser has it."""
    if cookie_name() in request.cookies:
        response.delete_cookie(cookie_name(), secure=is_https(), httponly=True, samesite="Lax", path="/")


def cookie_name() -> str:
    """Return the name of the cookie. With HTTPS its prefix restricts it to this host and to TLS."""
    return "__Host-pbem-seats" if is_https() else "pbem-seats"


def _in_cookie() -> list[HeldSeat]:
    try:
        return [HeldSeat(*one) for one in _signer().loads(request.cookies.get(cookie_name(), ""))]
    except BadSignature:
        return []


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(list(service().config.secret_keys), salt=_SALT)
