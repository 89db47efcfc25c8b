"""The JSON API, with its OpenAPI document at /api/openapi.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask_smorest import Api

from pbem import __version__
from pbem.web.api import (
    absences,
    chat,
    conditional_moves,
    deal_sets,
    endings,
    events,
    forks,
    games,
    idempotency,
    invitations,
    ladders,
    lines,
    lobby,
    looking_back,
    matches,
    me,
    notes,
    offers,
    par,
    plays,
    ratings,
    schemas,
    seats,
    statistics,
    stream,
    timeouts,
    weekly,
)
from pbem.web.api.openapi import OperationsPlugin, add_components, add_problems, drop_impossible_default
from pbem.web.api.stream_slots import Slots
from pbem.web.request.context import EXTENSION

if TYPE_CHECKING:
    from flask import Flask

MODULES = (
    games,
    lobby,
    matches,
    invitations,
    seats,
    offers,
    chat,
    notes,
    lines,
    endings,
    absences,
    forks,
    me,
    stream,
    ratings,
    events,
    conditional_moves,
    timeouts,
    statistics,
    par,
    plays,
    looking_back,
    deal_sets,
    weekly,
    ladders,
)
DESCRIPTION = (
    "Create, find, view and play matches by JSON. docs/reference/api.md shows the way, docs/reference/api-changes.md "
    "what may change: additions come at any time, so ignore fields that you do not know; nothing is taken away within "
    "a major version."
)
KEY_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API key, created at /me/keys, with some of the scopes `read`, `play` and `start`. Our own pages "
    "can send the cookie of the signed-in player instead.",
}


class _Api(Api):  # type: ignore[misc]
    """API whose errors `pbem.web.request.errors` answers, as it does those of pages."""

    ERROR_SCHEMA = schemas.Problem

    def _register_error_handlers(self) -> None:
        """Register nothing."""


def register(app: Flask) -> None:
    """Register the API and its OpenAPI document with the application."""
    app.config.update(
        API_TITLE="Slow games by mail",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}},
    )
    app.extensions[stream.EXTENSION] = Slots(app.extensions[EXTENSION].engine)
    servers = [{"url": app.extensions[EXTENSION].config.base_url}]
    api = _Api(app, spec_kwargs={"extra_plugins": [OperationsPlugin()], "servers": servers})
    api.spec.components.security_scheme("key", KEY_SCHEME)
    api.ma_plugin.converter.add_attribute_function(drop_impossible_default)
    add_components(api.spec)
    for part in MODULES:
        api.register_blueprint(part.api)
    add_problems(api.spec)
    idempotency.init_app(app)
