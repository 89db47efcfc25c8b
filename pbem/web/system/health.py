"""Health checks for monitoring: alive, and ready."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, jsonify
from sqlalchemy.exc import SQLAlchemyError

from pbem.db import disk_space
from pbem.db.models import Heartbeat
from pbem.task_queue import is_reachable
from pbem.web.request.context import service, transaction

pages = Blueprint("health", __name__)

WORKER_LATE_AFTER = timedelta(seconds=60)
BROKER_TIMEOUT_SECONDS = 1.0


@pages.get("/healthz")
def alive() -> dict[str, str]:
    """Return that this process answers."""
    return {"status": "ok"}


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Return whether moves can be taken: this needs the database and free disk space; broker and worker may be late."""
    try:
        with transaction() as ctx:
            heartbeat = ctx.session.get(Heartbeat, "worker")
            worker = "ok" if heartbeat and ctx.now - heartbeat.seen_at < WORKER_LATE_AFTER else "late"
    except SQLAlchemyError:
        return jsonify(database="unreachable"), 503
    full, broker = (
        disk_space.is_full(service().config),
        "ok" if is_reachable(service().config, BROKER_TIMEOUT_SECONDS) else "late",
    )
    said = jsonify(database="ok", disk="full" if full else "ok", broker=broker, worker=worker)
    return said, 503 if full else 200
