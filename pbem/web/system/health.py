"""Health checks for monitoring."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, jsonify
from sqlalchemy.exc import SQLAlchemyError

from pbem.db import disk_check
from pbem.db.models import Heartbeat
from pbem.task_queue import is_reachable
from pbem.web.request.context import service, transaction

pages = Blueprint("health", __name__)

WORKER_LATE_AFTER = timedelta(seconds=60)
BROKER_TIMEOUT_SECONDS = 1.0


@pages.get("/healthz")
def alive() -> dict[str, str]:
    """Return 200 while this process answers."""
    return {"status": "ok"}


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Return 200 if moves can be accepted: with the database and free disk space; broker and worker may be late."""
    try:
        with transaction() as ctx:
            heartbeat = ctx.session.get(Heartbeat, "worker")
            worker = "ok" if heartbeat and ctx.now - heartbeat.seen_at < WORKER_LATE_AFTER else "late"
    except SQLAlchemyError:
        return jsonify(database="unreachable"), 503
    full = disk_check.is_full(service().config)
    broker = "ok" if is_reachable(service().config, BROKER_TIMEOUT_SECONDS) else "late"
    state = jsonify(database="ok", disk="full" if full else "ok", broker=broker, worker=worker)
    return state, 503 if full else 200
