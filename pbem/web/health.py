"""For machines that watch: alive, and ready."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, jsonify
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from pbem.db.models import Pulse
from pbem.web.here import here, table

pages = Blueprint("health", __name__)

LATE = timedelta(seconds=60)
PATIENCE = 1.0


@pages.get("/healthz")
def alive() -> dict[str, str]:
    """Tell that this process answers."""
    return {"status": "ok"}


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Tell whether moves can be taken, which needs the database; broker and worker may be late."""
    try:
        with table() as at:
            pulse = at.session.get(Pulse, "worker")
            worker = "ok" if pulse and at.now - pulse.at < LATE else "late"
    except SQLAlchemyError:
        return jsonify(database="unreachable"), 503
    return jsonify(database="ok", broker=_broker(), worker=worker), 200


def _broker() -> str:
    try:
        with Redis.from_url(
            here().config.broker_url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
        ) as broker:
            broker.ping()
    except (RedisError, OSError, ValueError):
        return "late"
    return "ok"
