"""Error responses: a page for people, RFC 9457 problem details for programs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NoReturn

from flask import Response, abort, json, render_template, request
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.exceptions import BadRequest, Forbidden, HTTPException, InternalServerError, ServiceUnavailable

from pbem.db import disk_check
from pbem.db.sqlstates import is_deadlock
from pbem.i18n import _, marked
from pbem.play.moderation.bans import BannedError
from pbem.web.request import read_only_mode

if TYPE_CHECKING:
    from flask import Flask

    from pbem.play.core.errors import Refused

log = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = "5"

_STATUS_MESSAGES = {
    400: marked("This request could not be understood."),
    404: marked("There is no page at this address."),
    405: marked("This page does not accept this kind of request."),
    413: marked("This request is too large."),
}
"""Messages for errors about which only the status is known."""
CODES = {
    400: "bad-request",
    401: "key-required",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
    413: "too-large",
    415: "not-json",
    421: "wrong-host",
    422: "invalid",
    429: "rate-limited",
    500: "internal-error",
    503: "unavailable",
}
"""The `code` of problem details, by status, where nothing closer is known."""
_FIELD_MESSAGES = (
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


def init_app(app: Flask) -> None:
    """Register handlers that answer every error as a page or as problem details."""
    app.register_error_handler(HTTPException, _error_response)
    app.register_error_handler(OperationalError, _database_unavailable)
    app.register_error_handler(InterfaceError, _database_unavailable)
    app.register_error_handler(RecursionError, _nested_too_deeply)
    app.register_error_handler(BannedError, _banned)
    app.register_error_handler(Exception, _internal_error)


def refuse(status: int, reason: str, errors: dict[str, Any] | None = None, *, code: str = "") -> NoReturn:
    """Abort the request with an error: one sentence for people, the fields that are wrong, and a code for programs."""
    try:
        abort(status, description=reason)
    except HTTPException as error:
        raise with_details(error, reason=reason, messages=errors, code=code) from None


def refuse_with(refused: Refused, status: int = 409, errors: dict[str, Any] | None = None) -> NoReturn:
    """Abort the request with the sentence and the code of a refusal."""
    refuse(status, str(refused), errors, code=refused.code or "")


def with_details(error: HTTPException, **details: object) -> HTTPException:
    """Return an error with more for its problem details: `reason`, `messages` by field, or `code`."""
    error.data = details  # type: ignore[attr-defined]
    return error


def problem(error: HTTPException) -> Response:
    """Build the problem details of an error; `reason` is one sentence for people."""
    data: dict[str, Any] = getattr(error, "data", None) or {}
    errors = data.get("messages")
    given = data.get("reason") or _first_message(errors)
    reason = _(given) if given else _reason(error)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": error.name,
        "status": error.code,
        "code": data.get("code") or CODES.get(error.code or 0, "error"),
        "detail": reason,
        "reason": reason,
    }
    if errors:
        body["errors"] = errors
    return Response(json.dumps(body), status=error.code, content_type="application/problem+json")


def _error_response(error: HTTPException) -> Response:
    if error.response is not None or error.code is None:
        return error.response or Response(status=500)  # type: ignore[return-value]
    if request.path.startswith("/api/"):
        response = problem(error)
    else:
        response = Response(render_template("common/error.html", error=error, reason=_reason(error)), status=error.code)
    for name, value in error.get_headers():
        if name.lower() not in {"content-type", "content-length"}:
            response.headers[name] = value
    if isinstance(error, ServiceUnavailable):
        response.headers.setdefault("Retry-After", RETRY_AFTER_SECONDS)
    return response


def _database_unavailable(error: Exception) -> Response:
    if disk_check.is_disk_full_error(error):
        log.warning("the database has no room: %s", error)
        return _error_response(read_only_mode.unavailable_error())
    if is_deadlock(error):
        log.warning("a request ended in a deadlock: %s", request.endpoint)
        return _error_response(
            ServiceUnavailable(marked("Somebody changed the same at the same moment, so nothing was done. Try again."))
        )
    log.warning("the database could not be reached: %s", error)
    return _error_response(
        ServiceUnavailable(marked("The service cannot reach its database right now. Try again in a moment."))
    )


def _nested_too_deeply(_error: Exception) -> Response:
    return _error_response(BadRequest(marked("This JSON is nested too deeply.")))


def _banned(error: Exception) -> Response:
    return _error_response(with_details(Forbidden(str(error)), code="banned"))


def _internal_error(error: Exception) -> Response:
    log.error("a request failed: %s", request.endpoint, exc_info=error)
    return _error_response(
        InternalServerError(marked("Something went wrong on our side. Nothing you sent earlier is lost."))
    )


def _reason(error: HTTPException) -> str:
    """Return what is wrong, for people: in our own words if there are any."""
    if error.description == type(error).description and error.code in _STATUS_MESSAGES:
        return _(_STATUS_MESSAGES[error.code])
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
