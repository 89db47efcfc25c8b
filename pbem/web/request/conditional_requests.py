"""Conditional calls of the API: a 304 if the answer is the one that the caller has already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

if TYPE_CHECKING:
    from flask import Flask, Response

_SAFE_METHODS = {"GET", "HEAD"}


def init_app(app: Flask) -> None:
    """Set the `ETag` of each answer of the API, and answer 304 to a request that names it."""

    @app.after_request
    def compare(response: Response) -> Response:
        is_read = request.method in _SAFE_METHODS and request.path.startswith("/api/")
        if is_read and response.status_code == 200 and response.mimetype == "application/json":  # noqa: PLR2004 -- the only one
            response.add_etag()
            response.make_conditional(request)
        return response
