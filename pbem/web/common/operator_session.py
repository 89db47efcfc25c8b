"""Operator sessions: the proof that an operator has shown a second factor, in a cookie beside the login session's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from pbem.play.operators import second_factor
from pbem.web.request.context import is_https, service

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context
    from pbem.play.operators.second_factor import OperatorSession


def current(ctx: Context, signed_in: CurrentUser) -> OperatorSession | None:
    """Return the operator session of the signed-in player, if there is one."""
    typed = request.cookies.get(_cookie_name(), "")
    if signed_in.operator is None or not typed:
        return None
    return second_factor.load_cookie(ctx, typed, signed_in.operator, signed_in.login_session)


def may_change(ctx: Context, signed_in: CurrentUser) -> bool:
    """Return whether a player may change their sign-in. Operators need more than a login session: it may be stolen."""
    operator = second_factor.find_operator(ctx, signed_in.player)
    return operator is None or second_factor.may_change(ctx, operator, signed_in.login_session, current(ctx, signed_in))


def set_cookie(response: BaseResponse, entry: OperatorSession) -> None:
    """Set the cookie of an operator session, with when its operator was last seen."""
    signed, seconds = second_factor.dump_cookie(service().config, entry), int(second_factor.MAX_IDLE.total_seconds())
    response.set_cookie(
        _cookie_name(), signed, max_age=seconds, secure=is_https(), httponly=True, samesite="Lax", path="/"
    )


def delete_cookie(response: BaseResponse) -> None:
    """Delete the cookie of an operator session."""
    response.delete_cookie(_cookie_name(), secure=is_https(), httponly=True, samesite="Lax", path="/")


def _cookie_name() -> str:
    return "__Host-pbem-operator" if is_https() else "pbem-operator"
