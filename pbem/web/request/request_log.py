"""Request log: each request gets an id for its log lines, is counted, and is timed."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from flask import g, request

from pbem.telemetry import logs, metrics, traces

if TYPE_CHECKING:
    from flask import Flask, Response

log = logging.getLogger(__name__)

REQUEST_ID_HEADER = "X-Request-Id"
"""Response header with the id that the log knows the request by."""
SLOW_SECONDS = 1.0
"""Seconds above which a request is logged as slow."""
REPLAY_ENDPOINTS = {
    "replay.match": "page",
    "replay.match_step": "page",
    "replay.own": "page",
    "replay.own_step": "page",
    "replay_files.replay": "file",
    "records.text": "record",
    "api matches.record": "record",
    "share.animation": "animation",
}
"""Endpoints that count as a view of a replay or a record, with their label."""


def init_app(app: Flask) -> None:
    """Assign an id to each request, count it and time it."""

    @app.before_request
    def begin() -> None:
        g.began, g.request_id = time.perf_counter(), logs.new_id()
        g.scope = ExitStack()
        g.scope.enter_context(logs.bound_fields(request=g.request_id))
        # The rule, not the path, which may contain a token.
        g.scope.enter_context(traces.span(f"{request.method} {request.url_rule or 'nothing'}"))

    @app.after_request
    def count(response: Response) -> Response:
        if "request_id" in g:
            blueprint = request.blueprint or ("static" if request.endpoint == "static" else "nothing")
            metrics.count(metrics.REQUESTS, blueprint, str(response.status_code))
            took = time.perf_counter() - g.began
            metrics.observe(metrics.REQUEST_SECONDS, took, blueprint)
            if took > SLOW_SECONDS:
                log.info("a slow request: %s took %.1f s", request.endpoint, took)
            if (kind := REPLAY_ENDPOINTS.get(request.endpoint or "")) and response.status_code == 200:  # noqa: PLR2004 -- it was shown
                metrics.count(metrics.REPLAYS, kind)
            response.headers[REQUEST_ID_HEADER] = g.request_id
        return response

    @app.teardown_request
    def end(_error: BaseException | None) -> None:
        if "scope" in g:
            g.pop("scope").close()
