"""Check that the worker, beat and the pages run."""

from __future__ import annotations

import ssl
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.db.models import Heartbeat
from pbem.ops.doctor import broker
from pbem.ops.doctor.check import Check, failed, passed, warned
from pbem.play.core.context import read_only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import CheckContext, Result

LATE_AFTER = timedelta(seconds=60)
"""Age from which a heartbeat counts as missing; one is due every quarter of a minute."""
TIMEOUT_SECONDS = 30.0
"""Seconds that a worker and the pages may take to answer."""
CERTIFICATE_WARN_BEFORE = timedelta(days=14)
"""Remaining validity below which a certificate should have been renewed already."""
_HTTP_OK = 200


def _check_worker(ground: CheckContext) -> Iterator[Result]:
    before, began = _last_heartbeat(ground), time.monotonic()
    broker.send_task(ground, "heartbeat")
    while time.monotonic() < began + TIMEOUT_SECONDS:
        if _last_heartbeat(ground) != before:
            yield passed(f"A worker did what it was asked within {time.monotonic() - began:.1f} s.")
            return
        time.sleep(0.05)
    last = f"the last sign of life is of {before:%Y-%m-%d %H:%M:%S} UTC" if before else "there never was one"
    yield failed(f"No worker does what it is asked: {last}.", "Start the worker, and look at what its log says.")


def _check_beat(ground: CheckContext) -> Iterator[Result]:
    at = _last_heartbeat(ground)
    if at and datetime.now(UTC) - at < LATE_AFTER:
        yield passed("Recurring tasks come in time.")
    else:
        last = f"The last recurring task came at {at:%Y-%m-%d %H:%M:%S} UTC" if at else "No recurring task ever came"
        yield failed(
            f"{last}: no deadline passes, and what a lost hint has left lying stays there.",
            "Start beat, and look at what its log says; if it was started just now, look again in a minute.",
        )


def _last_heartbeat(ground: CheckContext) -> datetime | None:
    with read_only(ground.engine, ground.config) as ctx:
        found = ctx.session.get(Heartbeat, "worker")
        return found.seen_at if found else None


def _check_pages(ground: CheckContext) -> Iterator[Result]:
    url = urlsplit(ground.config.base_url)
    try:
        status, until = _request_health(ground.config.base_url)
    except ssl.SSLError as fault:
        yield failed(
            f"The certificate of {url.netloc} is not good: {fault.reason or fault}.",
            "Have the web server get a new one.",
        )
        return
    except (OSError, HTTPException) as fault:
        yield failed(
            f"{ground.config.base_url} does not answer: {fault}.",
            "Start the pages and the web server before them. If others do reach them, this machine alone does not know "
            f"its own name: add “127.0.0.1 {url.hostname}” to /etc/hosts.",
        )
        return
    if status != _HTTP_OK:
        yield failed(
            f"{ground.config.base_url}/healthz answers {status}, not 200.",
            "Have the web server hand on all requests with the Host header that it was asked with.",
        )
    elif url.scheme == "http" and not ground.config.is_mail_local:
        yield warned("The pages are read by http: links to seats can be listened to.", "Put a certificate before them.")
    elif until and until - datetime.now(UTC) < CERTIFICATE_WARN_BEFORE:
        yield warned(f"The certificate ends on {until:%Y-%m-%d}.", "Look why it was not renewed.")
    else:
        yield passed(f"{ground.config.base_url} answers.")


def _request_health(base_url: str) -> tuple[int, datetime | None]:
    """Request the health page; returns its status, and until when the certificate is valid."""
    url = urlsplit(base_url)
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    line = kind(url.hostname or "", url.port, timeout=TIMEOUT_SECONDS)
    try:
        line.connect()
        certificate = line.sock.getpeercert() if isinstance(line.sock, ssl.SSLSocket) else None
        line.request("GET", f"{url.path}/healthz")
        status = line.getresponse().status
    finally:
        line.close()
    if not certificate:
        return status, None
    return status, datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)


CHECKS = (
    # Beat is checked first, since checking the worker makes a heartbeat.
    Check("beat", _check_beat, needs=("database", "broker")),
    Check("worker", _check_worker, needs=("database", "broker")),
    Check("pages", _check_pages),
)
