"""Check that the worker, beat and the pages run."""

from __future__ import annotations

import ssl
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from pbem.db.models import Heartbeat
from pbem.ops.doctor import broker
from pbem.ops.doctor.check import Check, CheckContext, Results, failed, passed, warned
from pbem.play.core.context import read_only

LATE_AFTER = timedelta(seconds=60)
"""Age from which a heartbeat counts as missing; one is due every quarter of a minute."""
TIMEOUT_SECONDS = 30.0
"""Seconds that a worker and the pages may take to answer."""
CERTIFICATE_WARN_BEFORE = timedelta(days=14)
"""Remaining validity below which a certificate should have been renewed already."""


def _check_worker(context: CheckContext) -> Results:
    before, began = _last_heartbeat(context), time.monotonic()
    broker.send_task(context, "heartbeat")
    while time.monotonic() < began + TIMEOUT_SECONDS:
        if _last_heartbeat(context) != before:
            yield passed(f"A worker ran a task within {time.monotonic() - began:.1f} s.")
            return
        time.sleep(0.05)
    last = f"the last heartbeat was at {before:%Y-%m-%d %H:%M:%S} UTC" if before else "there has been no heartbeat yet"
    yield failed(f"No worker runs tasks: {last}.", "Start the worker, and see its log.")


def _check_beat(context: CheckContext) -> Results:
    at = _last_heartbeat(context)
    if at and datetime.now(UTC) - at < LATE_AFTER:
        yield passed("Periodic tasks run on time.")
    else:
        last = f"The last periodic task ran at {at:%Y-%m-%d %H:%M:%S} UTC" if at else "No periodic task has run yet"
        yield failed(
            f"{last}: no deadline passes, and lost tasks are not sent again.",
            "Start beat (in `pbem up`: the worker), and see its log. If it was just started, try again in a minute.",
        )


def _last_heartbeat(context: CheckContext) -> datetime | None:
    with read_only(context.engine, context.config) as ctx:
        found = ctx.session.get(Heartbeat, "worker")
        return found.seen_at if found else None


def _check_pages(context: CheckContext) -> Results:
    url = urlsplit(context.config.base_url)
    try:
        status, until = _request_health(context.config.base_url)
    except ssl.SSLError as fault:
        yield failed(
            f"The certificate of {url.netloc} is invalid: {fault.reason or fault}.",
            "Let the web server get a new one.",
        )
        return
    except (OSError, HTTPException) as fault:
        yield failed(
            f"{context.config.base_url} does not answer: {fault}.",
            "Start the pages and the web server in front of them. If other machines do reach them, only this one does "
            f"not know its own name: add “127.0.0.1 {url.hostname}” to /etc/hosts.",
        )
        return
    if status != HTTPStatus.OK:
        yield failed(
            f"{context.config.base_url}/healthz answers {status}, not 200.",
            "Let the web server pass on all requests with their original Host header.",
        )
    elif url.scheme == "http" and not context.config.is_mail_local:
        yield warned(
            "The pages are served by http: others can read the links to seats on their way.",
            "Set up a certificate at the web server.",
        )
    elif until and until - datetime.now(UTC) < CERTIFICATE_WARN_BEFORE:
        yield warned(f"The certificate expires on {until:%Y-%m-%d}.", "Find out why it was not renewed.")
    else:
        yield passed(f"{context.config.base_url} answers.")


def _request_health(base_url: str) -> tuple[int, datetime | None]:
    """Request the health page; returns its status, and until when the certificate is valid."""
    url = urlsplit(base_url)
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    with closing(kind(url.hostname or "", url.port, timeout=TIMEOUT_SECONDS)) as connection:
        connection.connect()
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        connection.request("GET", f"{url.path}/healthz")
        status = connection.getresponse().status
    if not certificate:
        return status, None
    return status, datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)


CHECKS = (
    # Beat is checked first, since checking the worker makes a heartbeat.
    Check("beat", _check_beat, needs=("database", "broker")),
    Check("worker", _check_worker, needs=("database", "broker")),
    Check("pages", _check_pages),
)
