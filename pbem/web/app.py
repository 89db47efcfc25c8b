"""Putting the web application together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from pbem import telemetry
from pbem.broker import bind
from pbem.config import Config, of_this_process
from pbem.db.counts import keep_adding
from pbem.db.replica import replica_of
from pbem.db.room import keep_looking
from pbem.db.session import connect
from pbem.web import (
    again,
    agreements,
    api,
    api_absences,
    api_forks,
    api_me,
    api_plans,
    api_seats,
    api_tallies,
    choices,
    confirming,
    deciding,
    feeds,
    fields,
    floods,
    forcing,
    forking,
    guard,
    health,
    holding,
    hosting,
    incoming,
    invitations,
    keys,
    leaving,
    live,
    lobby,
    mailbox,
    matches,
    me,
    metrics,
    mine,
    operators,
    passkeys,
    plans,
    problems,
    reading,
    records,
    rematches,
    reminders,
    replay,
    replay_files,
    requests,
    rules,
    seats,
    sharing,
    shortage,
    signing_in,
    start,
    status,
    substitutes,
    talk,
    tallies,
    times,
    tongues,
    undo,
    unsubscribing,
    visiting,
    webhooks,
    why,
)
from pbem.web.here import HERE, Here

if TYPE_CHECKING:
    from sqlalchemy import Engine

LARGEST_BODY = 64 * 1024
ROOMS = (
    start,
    lobby,
    hosting,
    matches,
    sharing,
    replay,
    replay_files,
    records,
    forking,
    substitutes,
    deciding,
    live,
    leaving,
    invitations,
    seats,
    agreements,
    rematches,
    plans,
    talk,
    signing_in,
    me,
    forcing,
    times,
    holding,
    undo,
    keys,
    passkeys,
    mine,
    feeds,
    webhooks,
    why,
    tallies,
    reminders,
    choices,
    confirming,
    again,
    unsubscribing,
    rules,
    health,
    metrics,
    status,
    operators,
)
"""What is there in every installation."""


def create_app(config: Config | None = None, engine: Engine | None = None) -> Flask:
    """Make the web application; settings come from the environment unless given."""
    if config is None:
        config = of_this_process()
        telemetry.begin("web", config)
        bind(config)
        engine = engine or connect(config.database_url, pool_size=8)
        keep_adding(engine)
        keep_looking(engine, config)
    app = Flask("pbem.web")
    fields.read(app)
    app.config.update(
        SECRET_KEY=config.secret_keys[-1],
        SECRET_KEY_FALLBACKS=list(config.secret_keys[:-1]),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    engine = engine or connect(config.database_url, pool_size=8)
    app.extensions[HERE] = Here(config, engine, replica_of(config, engine))
    requests.watch(app)
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    tongues.speak(app)
    guard.protect(app, config)
    floods.watch(app)
    reading.watch(app)
    visiting.welcome(app)
    shortage.watch(app)
    problems.answer(app)
    api.serve(app, api_absences.api, api_forks.api, api_me.api, api_plans.api, api_seats.api, api_tallies.api)
    for room in ROOMS:
        app.register_blueprint(room.pages)
    if config.incoming_key or config.mailgun_key:
        app.register_blueprint(incoming.pages)
    if config.mailbox:
        app.register_blueprint(mailbox.pages)
    return app
