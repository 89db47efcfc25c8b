"""Error responses: a page for people, RFC 9457 problem details for programs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

from flask import Response, abort, json, render_template, request
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, InternalServerError, ServiceUnavailable

from pbem.db import disk_space
from pbem.i18n import _, marked
from pbem.play.moderation.bans import BannedError
from pbem.web.common import read_only_mode

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

SECONDS_TO_WAIT = "5"

_IN_GENERAL = {
    400: marked("This request could not be understood."),
    404: marked("There is no page at this address."),
    405: marked("This page takes no such request."),
    413: marked("That is more than fits into one request."),
}
"""Messages for errors about which only the status is known."""
_FIELDS = (
    marked("Missing data for required field."),
    marked("Unknown field."),
    marked("Not a valid string."),
    marked("Not a valid integer."),
    marked("Not a valid boolean."),
    marked("Not a valid date."),
    marked("Not a valid list."),
    marked("Not a valid mapping type."),
    marked("Invalid input type."),
)
"""Messages of marshmallow about a field of the API, marked for translation."""


def answer(app: Flask) -> None:
    """Register handlers that answer every error as a page or as problem details."""
    app.register_error_handler(HTTPException, _said)
    app.register_error_handler(OperationalError, _unreachable)
    app.register_error_handler(InterfaceError, _unreachable)
    app.register_error_handler(RecursionError, _too_deep)
    app.register_error_handler(BannedError, _shut_out)
    app.register_error_handler(Exception, _broken)


def refuse(status: int, reason: str, errors: dict[str, Any] | None = None) -> NoReturn:
    """Abort the request with an error: one sentence for people, and the fields that are wrong."""
    try:
        abort(status, description=reason)
    except HTTPException as error:
        error.data = {"reason": reason, "messages": errors}  # type: ignore[attr-defined]
        raise


def problem(error: HTTPException) -> Response:
    """Build the problem details of an error; `reason` is one sentence for people."""
    data: dict[str, Any] = getattr(error, "data", None) or {}
    errors = data.get("messages")
    told = data.get("reason") or _first_message(errors)
    reason = _(told) if told else _reason(error)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": error.name,
        "status": error.code,
        "detail": reason,
        "reason": reason,
    }
    if errors:
        body["errors"] = errors
    return Response(json.dumps(body), status=error.code, content_type="application/problem+json")


def _said(error: HTTPException) -> Response:
    if error.response is not None or error.code is None:
        return error.response or Response(status=500)  # type: ignore[return-value]
    if request.path.startswith("/api/"):
        response = problem(error)
    else:
        response = Response(render_template("problem.html", error=error, reason=_reason(error)), status=error.code)
    for name, value in error.get_headers():
        if name.lower() not in {"content-type", "content-length"}:
            response.headers[name] = value
    if isinstance(error, ServiceUnavailable):
        response.headers.setdefault("Retry-After", SECONDS_TO_WAIT)
    return response


def _unreachable(error: Exception) -> Response:
    if disk_space.is_refusal(error):
        log.warning("the database has no room: %s", error)
        return _said(read_only_mode.refusal())
    log.warning("the database could not be reached: %s", error)
    return _said(
        ServiceUnavailable(marked("The service cannot reach its database right now. Please try again in a moment."))
    )


def _too_deep(_error: Exception) -> Response:
    return _said(BadRequest(marked("That is nested too deeply to be read.")))


def _shut_out(error: Exception) -> Response:
    return _said(Forbidden(str(error)))


def _broken(error: Exception) -> Response:
    log.error("a request failed: %s", request.endpoint, exc_info=error)
    return _said(InternalServerError(marked("Something went wrong here. Nothing that you sent before is lost.")))


def _reason(error: HTTPException) -> str:
    """Return what is wrong, for people: in our own words if there are any."""
    if error.description == type(error).description and error.code in _IN_GENERAL:
        return _(_IN_GENERAL[error.code])
    return _(error.description or error.name)


def _first_message(errors: Any, field: str = "") -> str:
    if isinstance(errors, dict):
        for name, inner in errors.items():
            path = str(name) if not field or field in {"json", "query"} else f"{field}.{name}"
            if found := _first_message(inner, path):
                return found
    elif isinstance(errors, list) and errors:
        return f"{field}: {_(str(errors[0]))}" if field else _(str(errors[0]))
    return ""
