"""The application factory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from pbem import telemetry
from pbem.config import Config, load_or_exit
from pbem.db.disk_check import start_checking
from pbem.db.metric_store import start_flushing
from pbem.db.replica import open_replica
from pbem.db.session import connect
from pbem.task_queue import bind
from pbem.web import account, api, events, lobby, matches, operators, seat, system
from pbem.web.request import (
    conditional_requests,
    current_user,
    errors,
    form_fields,
    held_seats,
    locale,
    read_only_mode,
    read_replica,
    request_log,
    security_headers,
    throttling,
)
from pbem.web.request.context import EXTENSION, Service
from pbem.web.system import dev_mailbox, inbound_mail

if TYPE_CHECKING:
    from sqlalchemy import Engine

MAX_BODY_BYTES = 64 * 1024
BLUEPRINTS = (
    *lobby.PAGES,
    *matches.PAGES,
    *seat.PAGES,
    *account.PAGES,
    *events.PAGES,
    *system.PAGES,
    operators.pages,
)
"""Blueprints of every installation."""


def create_app(config: Config | None = None, engine: Engine | None = None) -> Flask:
    """Create the web application. Settings come from the environment unless given."""
    if config is None:
        config = load_or_exit()
        telemetry.configure("web", config)
        bind(config)
        engine = engine or connect(config.database_url, pool_size=8)
        start_flushing(engine)
        start_checking(engine, config)
    app = Flask("pbem.web")
    form_fields.init_app(app)
    app.config.update(
        SECRET_KEY=config.secret_keys[-1],
        SECRET_KEY_FALLBACKS=list(config.secret_keys[:-1]),
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    engine = engine or connect(config.database_url, pool_size=8)
    app.extensions[EXTENSION] = Service(config, engine, open_replica(config, engine))
    request_log.init_app(app)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    locale.init_app(app)
    security_headers.init_app(app, config)
    throttling.init_app(app)
    conditional_requests.init_app(app)
    read_replica.init_app(app)
    current_user.init_app(app)
    held_seats.init_app(app)
    read_only_mode.init_app(app)
    errors.init_app(app)
    api.register(app)
    for pages in BLUEPRINTS:
        app.register_blueprint(pages)
    if config.incoming_key or config.mailgun_key:
        app.register_blueprint(inbound_mail.pages)
    if config.dev_mailbox:
        app.register_blueprint(dev_mailbox.pages)
    return app
